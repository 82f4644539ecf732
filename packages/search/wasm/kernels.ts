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

/** Bits that differ from the query's, counted per byte position. Each register adds at most 8, so 31 registers fit. */
// @ts-expect-error: decorator of AssemblyScript
@inline
function differing(code: usize, query: usize, codeBytes: usize): v128 {
  let bits = differingBits(code, query);
  // The usual lengths are unrolled, which takes half the time of the loop.
  if (codeBytes === 48 || codeBytes === 64) {
    bits = i8x16.add(bits, differingBits(code + 16, query + 16));
    bits = i8x16.add(bits, differingBits(code + 32, query + 32));
    if (codeBytes === 64) bits = i8x16.add(bits, differingBits(code + 48, query + 48));
  } else {
    for (let at: usize = LANE; at < codeBytes; at += LANE) bits = i8x16.add(bits, differingBits(code + at, query + at));
  }
  return bits;
}

// @ts-expect-error: decorator of AssemblyScript
@inline
function sumsOfFour(bytes: v128): v128 {
  return i32x4.dot_i16x8_s(i16x8.extadd_pairwise_i8x16_u(bytes), i16x8.splat(1));
}

/** The sums of neighbours, of `a` and then of `b`. */
// @ts-expect-error: decorator of AssemblyScript
@inline
function addNeighbours(a: v128, b: v128): v128 {
  return i32x4.add(v128.shuffle<i32>(a, b, 0, 2, 4, 6), v128.shuffle<i32>(a, b, 1, 3, 5, 7));
}

/** Hamming distances of four codes, one after the other, to the query's code. */
// @ts-expect-error: decorator of AssemblyScript
@inline
function distances(code: usize, query: usize, codeBytes: usize): v128 {
  const first = sumsOfFour(differing(code, query, codeBytes));
  const second = sumsOfFour(differing(code + codeBytes, query, codeBytes));
  const third = sumsOfFour(differing(code + 2 * codeBytes, query, codeBytes));
  const fourth = sumsOfFour(differing(code + 3 * codeBytes, query, codeBytes));
  return addNeighbours(addNeighbours(first, second), addNeighbours(third, fourth));
}

/* The state of a scan. Each thread has its own instance of this module. */

/** Rows farther than this are ignored, because `want` rows within this distance have been found. */
let limit: u32 = 0;
/** How many rows within the limit were seen. */
let within: u32 = 0;
/** Number of rows in the list. */
let found: u32 = 0;

/** Removes the rows from the list that are now beyond the limit. */
function thin(list: usize, far: usize): void {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < found; i++) {
    if (<u32>load<u16>(far + ((<usize>i) << 1)) > limit) continue;
    store<u32>(list + ((<usize>kept) << 2), load<u32>(list + ((<usize>i) << 2)));
    kept++;
  }
  found = kept;
}

function take(row: u32, distance: u32, want: u32, histogram: usize, list: usize, far: usize): void {
  if (distance > limit) return;
  const bin = histogram + ((<usize>distance) << 2);
  store<u32>(bin, load<u32>(bin) + 1);
  within++;
  store<u32>(list + ((<usize>found) << 2), row);
  store<u16>(far + ((<usize>found) << 1), <u16>distance);
  found++;
  for (;;) {
    const farthest = load<u32>(histogram + ((<usize>limit) << 2));
    if (within - farthest < want) break;
    within -= farthest;
    limit--;
  }
}

// @ts-expect-error: decorator of AssemblyScript
@inline
function scan(
  codes: usize, first: u32, end: u32, codeBytes: usize, query: usize,
  want: u32, histogram: usize, list: usize, far: usize,
): void {
  let code = codes + <usize>first * codeBytes;
  let bound = i32x4.splat(limit);
  for (let i: u32 = first; i < end; i += 4) {
    const four = distances(code, query, codeBytes);
    code += 4 * codeBytes;
    if (!v128.any_true(i32x4.le_u(four, bound))) continue;
    // The last four may reach past `end`.
    take(i, i32x4.extract_lane(four, 0), want, histogram, list, far);
    if (i + 1 < end) take(i + 1, i32x4.extract_lane(four, 1), want, histogram, list, far);
    if (i + 2 < end) take(i + 2, i32x4.extract_lane(four, 2), want, histogram, list, far);
    if (i + 3 < end) take(i + 3, i32x4.extract_lane(four, 3), want, histogram, list, far);
    bound = i32x4.splat(limit);
  }
}

// @ts-expect-error: decorator of AssemblyScript
@inline
function nearestOf(
  codes: usize, ranges: usize, rangeCount: u32, codeBytes: usize, query: usize,
  want: u32, histogram: usize, list: usize, far: usize,
): u32 {
  limit = 8 * <u32>codeBytes;
  found = 0;
  within = 0;
  memory.fill(histogram, 0, 4 * (8 * codeBytes + 1));
  for (let i: u32 = 0; i < rangeCount; i++) {
    const range = ranges + ((<usize>i) << 3);
    scan(codes, load<u32>(range), load<u32>(range, 4), codeBytes, query, want, histogram, list, far);
  }
  thin(list, far);
  return found;
}

/**
 * Lists, in the order of the scan, the rows whose codes are as near to the query's as the nearest `want` are. It reads
 * the rows in `ranges`, pairs of u32: the first row and the one after the last. The list needs room for all of them: a u32
 * for each row in `list` and a u16 in `far`. `histogram` has a u32 for each distance. @returns their number
 */
export function nearest(
  codes: usize, ranges: usize, rangeCount: u32, codeBytes: usize, query: usize,
  want: u32, histogram: usize, list: usize, far: usize,
): u32 {
  if (codeBytes === 48) return nearestOf(codes, ranges, rangeCount, 48, query, want, histogram, list, far);
  if (codeBytes === 64) return nearestOf(codes, ranges, rangeCount, 64, query, want, histogram, list, far);
  return nearestOf(codes, ranges, rangeCount, codeBytes, query, want, histogram, list, far);
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

/** Bytes of a cache line. */
const LINE: usize = 64;
/** Number of vectors that are fetched from memory at the same time. */
const AHEAD: u32 = 8;
/** Uses the bytes that were read ahead, so that a compiler does not remove these reads. */
let touched: u32 = 0;

/**
 * Dot product of the query with the int8 vector of each of `count` rows, as i32. The vectors are scattered, so
 * waiting for memory would take most of the time. Therefore a few are fetched together before the first one is read.
 */
export function dots(vectors: usize, rows: usize, count: u32, dimensions: usize, query: usize, out: usize): void {
  for (let first: u32 = 0; first < count; first += AHEAD) {
    const end = min(first + AHEAD, count);
    for (let i = first; i < end; i++) {
      const vector = vectors + <usize>load<u32>(rows + ((<usize>i) << 2)) * dimensions;
      for (let at: usize = 0; at < dimensions; at += LINE) touched ^= load<u8>(vector + at);
    }
    for (let i = first; i < end; i++) {
      const vector = vectors + <usize>load<u32>(rows + ((<usize>i) << 2)) * dimensions;
      store<i32>(out + ((<usize>i) << 2), dot(vector, query, dimensions));
    }
  }
}

/** In a list of rows: no row. */
const NONE: u32 = 0xffff_ffff;

// @ts-expect-error: decorator of AssemblyScript
@inline
function distance(code: usize, other: usize, codeBytes: usize): u32 {
  const sums = sumsOfFour(differing(code, other, codeBytes));
  const pairs = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

/**
 * Marks rows whose dot product with an earlier unmarked row is at least `same`: writes 1 to `marks`, which has a byte, 0 at
 * first, for each of the `count` rows. Only rows whose codes differ in at most `farthest` bits are compared.
 */
export function markSame(
  codes: usize, vectors: usize, rows: usize, count: u32, codeBytes: usize, farthest: u32, same: i32, marks: usize,
): void {
  const dimensions = codeBytes << 3;
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(rows + ((<usize>i) << 2));
    if (row === NONE || load<u8>(marks + i) !== 0) continue;
    const code = codes + <usize>row * codeBytes;
    for (let j = i + 1; j < count; j++) {
      const other = load<u32>(rows + ((<usize>j) << 2));
      if (other === NONE || load<u8>(marks + j) !== 0) continue;
      if (distance(code, codes + <usize>other * codeBytes, codeBytes) > farthest) continue;
      const product = dot(vectors + <usize>row * dimensions, vectors + <usize>other * dimensions, dimensions);
      if (product >= same) store<u8>(marks + j, 1);
    }
  }
}
