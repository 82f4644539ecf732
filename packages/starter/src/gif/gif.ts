import { lzw } from './lzw.ts';
import { choosePalette, type Palette, wordsOf } from './palette.ts';

/** Straight RGBA frames one after another, each pixel opaque or empty. */
export interface Animation {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Milliseconds per frame, a multiple of ten. */
  readonly delay: number;
  readonly data: Uint8Array;
}

/**
 * Writes an animated GIF that loops for ever. Unlike libvips, this code chooses one palette for all frames. This suits
 * flat artwork, takes a fifth of the time, and prevents flickering colours. The code stores only the pixels that
 * change.
 */
export function encodeGif(animation: Animation): Buffer {
  const { width, height, frames, delay, data } = animation;
  const palette = choosePalette(data, 255);
  const empty = palette.size;
  const bits = Math.max(2, Math.ceil(Math.log2(palette.size + 1)));
  const indexed = toIndices(data, palette, empty);
  const page = width * height;
  const seeThrough = indexed.includes(empty);
  const parts: Uint8Array[] = [head(width, height, palette, bits)];
  for (let i = 0; i < frames; i++) {
    const frame = indexed.subarray(i * page, (i + 1) * page);
    const before = i > 0 && !seeThrough ? indexed.subarray((i - 1) * page, i * page) : undefined;
    const box = changedBox(frame, before, { width, height, empty });
    // A transparent animation is erased between frames, because there is no other way to make a pixel empty in a later
    // frame.
    const control = [0x21, 0xf9, 4, ((seeThrough ? 2 : 1) << 2) | 1, ...short(delay / 10), empty, 0];
    const place = [0x2c, ...short(box.left), ...short(box.top), ...short(box.width), ...short(box.height), 0];
    parts.push(Buffer.from([...control, ...place]), smallest(frame, before, { box, width, empty, bits }));
  }
  parts.push(Buffer.from([0x3b]));
  return Buffer.concat(parts);
}

function head(width: number, height: number, palette: Palette, bits: number): Buffer {
  const table = Buffer.alloc(3 * (1 << bits));
  table.set(palette.colours);
  const screen = [...short(width), ...short(height), 0x80 | (bits - 1), 0, 0];
  const forEver = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0];
  return Buffer.concat([Buffer.from('GIF89a'), Buffer.from(screen), table, Buffer.from(forEver)]);
}

function short(value: number): [number, number] {
  return [value & 255, value >> 8];
}

function toIndices(data: Uint8Array, palette: Palette, empty: number): Uint8Array {
  const words = wordsOf(data);
  const indexed = new Uint8Array(words.length);
  let last = 0;
  let index = empty;
  for (let i = 0, at = 0; i < words.length; i++, at += 4) {
    const word = words[i]!;
    if (word !== last) {
      last = word;
      index = data[at + 3] === 0 ? empty : palette.indexOf(data[at]!, data[at + 1]!, data[at + 2]!);
    }
    indexed[i] = index;
  }
  return indexed;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Returns the rectangle around the pixels that differ from the previous frame. If there is no previous frame, returns
 * the rectangle around all non-empty pixels.
 */
function changedBox(
  frame: Uint8Array,
  before: Uint8Array | undefined,
  size: { width: number; height: number; empty: number },
): Box {
  let left = size.width;
  let right = -1;
  let top = size.height;
  let bottom = -1;
  for (let at = 0; at < frame.length; at++) {
    if (frame[at] === (before ? before[at] : size.empty)) continue;
    const x = at % size.width;
    bottom = (at - x) / size.width;
    top = Math.min(top, bottom);
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  // Even if nothing changed, a frame must have a pixel.
  if (right < 0) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Returns the frame's pixels, compressed with or without the unchanged pixels. It chooses the smaller result. */
function smallest(
  frame: Uint8Array,
  before: Uint8Array | undefined,
  how: { box: Box; width: number; empty: number; bits: number },
): Uint8Array {
  const { box, width, empty, bits } = how;
  const whole = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = (box.top + y) * width + box.left;
    whole.set(frame.subarray(from, from + box.width), y * box.width);
  }
  if (!before) return lzw(whole, bits);
  const left = whole.slice();
  let same = 0;
  for (let y = 0, at = 0; y < box.height; y++) {
    const from = (box.top + y) * width + box.left;
    for (let x = 0; x < box.width; x++, at++) {
      if (before[from + x] !== left[at]) continue;
      left[at] = empty;
      same++;
    }
  }
  const packed = lzw(whole, bits);
  // If most of the frame changes, omitting pixels does not help, because it breaks up runs of equal pixels.
  if (same < whole.length / 2) return packed;
  const sparse = lzw(left, bits);
  return sparse.length < packed.length ? sparse : packed;
}
