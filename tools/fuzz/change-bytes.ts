import { few, pick, type Random, upTo } from './draw.ts';

const NUMBERS = [
  0,
  1,
  2,
  0x7f,
  0x80,
  0xff,
  0x100,
  0x3fff,
  0x4000,
  0x7fff,
  0x8000,
  0xffff,
  0xff_ffff,
  2 ** 31,
  2 ** 32 - 1,
];
/** Half of the changes are within this number of bytes at the start of a file. */
const HEAD_BYTES = 64;

type Change = (random: Random, bytes: Uint8Array) => Uint8Array;

const CHANGES: readonly Change[] = [
  (random, bytes) => overwrite(random, bytes, [upTo(random, 255)]),
  (random, bytes) => overwrite(random, bytes, [pick(random, NUMBERS) & 0xff]),
  (random, bytes) => {
    const at = drawPlace(random, bytes);
    return splice(bytes, at, 1, [(bytes[at] ?? 0) ^ (1 << upTo(random, 7))]);
  },
  (random, bytes) => overwrite(random, bytes, littleEndian(pick(random, NUMBERS), pick(random, [2, 3, 4]))),
  (random, bytes) => overwrite(random, bytes, Array(few(random, 64)).fill(pick(random, [0, 0xff, 0x3b, 0x2c]))),
  (random, bytes) => splice(bytes, drawPlace(random, bytes), few(random, 64), []),
  (random, bytes) =>
    splice(
      bytes,
      drawPlace(random, bytes),
      0,
      Array.from({ length: few(random, 64) }, () => upTo(random, 255)),
    ),
  (random, bytes) => {
    const from = drawPlace(random, bytes);
    return splice(bytes, drawPlace(random, bytes), 0, bytes.subarray(from, from + few(random, 256)));
  },
  (random, bytes) => bytes.slice(0, upTo(random, bytes.length)),
];

/** Returns bytes that differ in one place. The place is often near the start. */
export function changeBytes(random: Random, bytes: Uint8Array): Uint8Array {
  return pick(random, CHANGES)(random, bytes);
}

export function littleEndian(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, n) => Math.floor(value / 256 ** n) % 256);
}

function drawPlace(random: Random, bytes: Uint8Array): number {
  const last = bytes.length - 1;
  return upTo(random, Math.max(0, random() < 0.5 ? Math.min(last, HEAD_BYTES) : last));
}

function overwrite(random: Random, bytes: Uint8Array, values: readonly number[]): Uint8Array {
  return splice(bytes, drawPlace(random, bytes), values.length, values);
}

function splice(bytes: Uint8Array, at: number, removed: number, added: ArrayLike<number>): Uint8Array {
  const rest = bytes.subarray(at + removed);
  const changed = new Uint8Array(at + added.length + rest.length);
  changed.set(bytes.subarray(0, at));
  changed.set(added, at);
  changed.set(rest, at + added.length);
  return changed;
}
