/*
 * The inner loops of the vector scan, in AssemblyScript with 128-bit SIMD. `tools/wasm.ts` compiles this file into
 * `src/vectors/kernels-wasm.ts`. All addresses are byte offsets into the one shared memory; everything is aligned to 16.
 */

/** Bytes of one SIMD register. */
const LANE: usize = 16;

// @ts-expect-error: decorator of AssemblyScript
@inline
function differingBits(code: usize, query: usize): v128 {
  return i8x16.popcnt(v128.xor(v128.load(code), v128.load(query)));
}

// @ts-expect-error: decorator of AssemblyScript
@inline
function sumOfBytes(bytes: v128): u32 {
  const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}

/**
 * Hamming distance of each of `count` codes of `codeBytes` bytes to the query's code, as u16; and how many codes have
 * each distance, added to the u32 histogram. A byte counts at most 8 bits a register, so up to 31 registers fit.
 */
export function hamming(codes: usize, count: u32, codeBytes: usize, query: usize, distances: usize, histogram: usize): void {
  let code = codes;
  for (let i: u32 = 0; i < count; i++) {
    let bits = differingBits(code, query);
    for (let at: usize = LANE; at < codeBytes; at += LANE) bits = i8x16.add(bits, differingBits(code + at, query + at));
    const distance = sumOfBytes(bits);
    store<u16>(distances + ((<usize>i) << 1), <u16>distance);
    const bin = histogram + ((<usize>distance) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
    code += codeBytes;
  }
}

/** The same for codes of 48 bytes (384 dimensions): without the inner loop it takes half the time. */
export function hamming48(codes: usize, count: u32, query: usize, distances: usize, histogram: usize): void {
  const first = v128.load(query);
  const second = v128.load(query, 16);
  const third = v128.load(query, 32);
  let code = codes;
  for (let i: u32 = 0; i < count; i++) {
    const bits = i8x16.add(
      i8x16.add(
        i8x16.popcnt(v128.xor(v128.load(code), first)),
        i8x16.popcnt(v128.xor(v128.load(code, 16), second)),
      ),
      i8x16.popcnt(v128.xor(v128.load(code, 32), third)),
    );
    const distance = sumOfBytes(bits);
    store<u16>(distances + ((<usize>i) << 1), <u16>distance);
    const bin = histogram + ((<usize>distance) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
    code += 48;
  }
}

/**
 * Writes the numbers of the documents within `limit`, ascending, and gives how many; never more than `room`. Eight
 * distances are compared at once, and most eights hold none or one. The last eight may reach past `count` into padding.
 */
export function collect(distances: usize, count: u32, limit: u32, documents: usize, room: u32): u32 {
  const bound = i16x8.splat(<i16>limit);
  let found: u32 = 0;
  for (let i: u32 = 0; i < count && found < room; i += 8) {
    let within = i16x8.bitmask(i16x8.le_u(v128.load(distances + ((<usize>i) << 1)), bound));
    if (i + 8 > count) within &= (1 << (count - i)) - 1;
    for (; within != 0 && found < room; within &= within - 1) {
      store<u32>(documents + ((<usize>found) << 2), i + ctz(within));
      found++;
    }
  }
  return found;
}

// @ts-expect-error: decorator of AssemblyScript
@inline
function dot(a: usize, b: usize, dimensions: usize): i32 {
  let low = i32x4.splat(0);
  let high = i32x4.splat(0);
  for (let at: usize = 0; at < dimensions; at += LANE) {
    const x = v128.load(a + at);
    const y = v128.load(b + at);
    low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(x), i16x8.extend_low_i8x16_s(y)));
    high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(x), i16x8.extend_high_i8x16_s(y)));
  }
  const sum = i32x4.add(low, high);
  return (
    i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3)
  );
}

/** Dot product of the query with the int8 vector of each of `count` documents, as i32. */
export function dots(vectors: usize, documents: usize, count: u32, dimensions: usize, query: usize, out: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const document = <usize>load<u32>(documents + ((<usize>i) << 2));
    store<i32>(out + ((<usize>i) << 2), dot(vectors + document * dimensions, query, dimensions));
  }
}
