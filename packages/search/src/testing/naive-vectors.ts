import { makeLists, readBudget } from '../vectors/lists.ts';
import { int8Scale, writeCode, writeInt8 } from '../vectors/quantise.ts';

/**
 * Reference implementation of vector search in plain loops. The compiled search must return the same hits. This
 * implementation takes the lists from `makeLists`. With `readAll`, it reads every list instead of the nearest lists.
 */
export function naiveVectorSearch(
  vectors: readonly Float32Array[],
  query: Float32Array,
  limit: number,
  { candidates = 2_000, readAll = false }: { candidates?: number; readAll?: boolean } = {},
): [number, number][] {
  const dimensions = query.length;
  const codeOf = (vector: Float32Array | Int8Array): Uint8Array => {
    const code = new Uint8Array(dimensions / 8);
    writeCode(vector, code);
    return code;
  };
  const rows = vectors.map((vector) => int8Of(vector));
  const wanted = codeOf(query);
  const steps = int8Of(query);
  const described = rows.flatMap((row, document) => (row.some((value) => value !== 0) ? [document] : []));
  const read = readAll
    ? described
    : documentsRead(
        described.map((document) => rows[document]!),
        steps,
      ).map((i) => described[i]!);
  const distances = new Map(read.map((document) => [document, hammingDistance(codeOf(rows[document]!), wanted)]));
  const cut = [...distances.values()].sort((a, b) => a - b)[Math.min(candidates, read.length) - 1] ?? 0;
  const scored = read.flatMap((document): [number, number][] => {
    if (distances.get(document)! > cut) return [];
    const dot = dotOf(rows[document]!, steps);
    return dot > 0 ? [[document, dot / int8Scale(dimensions) ** 2]] : [];
  });
  return scored.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit);
}

/** Returns the vectors in the lists nearest to the query. */
function documentsRead(rows: readonly Int8Array[], query: Int8Array): number[] {
  const dimensions = query.length;
  const all = new Int8Array(rows.length * dimensions);
  for (const [i, row] of rows.entries()) all.set(row, i * dimensions);
  const { order, starts, centroids } = makeLists(all, dimensions);
  const lists = Array.from({ length: starts.length - 1 }, (_, list) => ({
    members: order.slice(starts[list], starts[list + 1]),
    dot: dotOf(centroids.subarray(list * dimensions, (list + 1) * dimensions), query),
  })).sort((a, b) => b.dot - a.dot);
  const read: number[] = [];
  for (const { members } of lists) if (read.length < readBudget(rows.length)) read.push(...members);
  return read;
}

function int8Of(vector: Float32Array): Int8Array {
  const out = new Int8Array(vector.length);
  writeInt8(vector, out);
  return out;
}

function dotOf(a: Int8Array, b: Int8Array): number {
  return a.reduce((sum, value, d) => sum + value * b[d]!, 0);
}

function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  let bits = 0;
  for (let at = 0; at < a.length; at++) {
    for (let rest = a[at]! ^ b[at]!; rest > 0; rest >>= 1) bits += rest & 1;
  }
  return bits;
}
