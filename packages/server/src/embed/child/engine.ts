import type { Rows, TextKind } from './protocol.ts';

/** Turns texts into vectors of any non-zero length. Returns null for a text with nothing to embed. */
export interface Engine {
  readonly dimensions: number;
  embed(kind: TextKind, texts: readonly string[]): Promise<(ArrayLike<number> | null)[]>;
}

/** Checks an engine's vectors and scales them to unit length. Throws RangeError for invalid vectors. */
export function toRows(vectors: readonly (ArrayLike<number> | null)[], dimensions: number): Rows {
  const present = vectors.map((vector) => vector !== null);
  const values = new Float32Array(present.filter(Boolean).length * dimensions);
  let at = 0;
  for (const vector of vectors) {
    if (vector === null) continue;
    setUnit(values.subarray(at, at + dimensions), vector);
    at += dimensions;
  }
  return { values, present };
}

function setUnit(row: Float32Array, vector: ArrayLike<number>): void {
  if (vector.length !== row.length) throw new RangeError(`a vector of ${vector.length} numbers, not ${row.length}`);
  let square = 0;
  for (let i = 0; i < row.length; i++) square += vector[i]! * vector[i]!;
  const length = Math.sqrt(square);
  if (!(length > 0 && Number.isFinite(length))) throw new RangeError(`a vector of length ${length}`);
  for (let i = 0; i < row.length; i++) row[i] = vector[i]! / length;
}
