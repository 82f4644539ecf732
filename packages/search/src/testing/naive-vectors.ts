import { int8Scale, writeCode, writeInt8 } from '../vectors/quantise.ts';

/** Reference implementation of vector search in plain loops; the compiled one must return the same hits. */
export function naiveVectorSearch(
  vectors: Float32Array[],
  query: Float32Array,
  limit: number,
  candidates = 2_000,
): [number, number][] {
  const dimensions = query.length;
  const codeOf = (vector: Float32Array): Uint8Array => {
    const code = new Uint8Array(dimensions / 8);
    writeCode(vector, code);
    return code;
  };
  const int8Of = (vector: Float32Array): Int8Array => {
    const out = new Int8Array(dimensions);
    writeInt8(vector, out);
    return out;
  };
  const wanted = codeOf(query);
  const distances = vectors.map((vector) => hammingDistance(codeOf(vector), wanted));
  const cut = distances.toSorted((a, b) => a - b)[Math.min(candidates, vectors.length) - 1] ?? 0;
  const steps = int8Of(query);
  const scored = vectors.flatMap((vector, document): [number, number][] => {
    if (distances[document]! > cut) return [];
    const dot = int8Of(vector).reduce((sum, value, d) => sum + value * steps[d]!, 0);
    return dot > 0 ? [[document, dot / int8Scale(dimensions) ** 2]] : [];
  });
  return scored.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit);
}

function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  let bits = 0;
  for (let at = 0; at < a.length; at++) {
    for (let rest = a[at]! ^ b[at]!; rest > 0; rest >>= 1) bits += rest & 1;
  }
  return bits;
}
