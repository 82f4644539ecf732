import { MediaRefusal } from '../refusal.ts';
import { OutOfBytes, Reader, unreadable, type Walk } from './walk.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const HEADER_BYTES = 13;

interface State {
  readonly reader: Reader;
  readonly delays: number[];
  width: number;
  height: number;
  /** Delay from the last graphic control extension, in hundredths of a second. */
  delay: number;
  loop: number;
  transparent: boolean;
}

/**
 * Walks the blocks of a GIF in one pass. Throws MediaRefusal `unreadable` if the file ends before the first pixel of
 * its first frame, and `no_frames` if a complete file has no frames.
 */
export function walkGif(bytes: Uint8Array): Walk {
  if (bytes.length < HEADER_BYTES) throw unreadable('header');
  const reader = new Reader(bytes, 6);
  const [width, height] = [reader.uint(2), reader.uint(2)];
  const state: State = { reader, delays: [], width, height, delay: 0, loop: 1, transparent: false };
  const truncated = !readsToTheEnd(state);
  const { delays, loop, transparent } = state;
  if (delays.length === 0 && truncated) throw unreadable('first frame');
  if (delays.length === 0) throw new MediaRefusal('no_frames', 'the image has no frames');
  return {
    format: 'gif',
    width: state.width,
    height: state.height,
    delays,
    loop,
    transparent,
    truncated,
    trailingBytes: reader.left,
  };
}

/**
 * Returns the same canvas size as `walkGif`, but reads only up to the first frame's dimensions. Throws OutOfBytes if
 * `start` ends before these dimensions.
 */
export function measureGif(start: Uint8Array): { width: number; height: number } {
  const reader = new Reader(start, 6);
  const state: State = { reader, delays: [], width: 0, height: 0, delay: 0, loop: 1, transparent: false };
  [state.width, state.height] = [reader.uint(2), reader.uint(2)];
  skipPalette(reader, reader.uint(1), 2);
  for (;;) {
    const block = reader.uint(1);
    if (block === EXTENSION) readExtension(state);
    else if (block !== IMAGE) throw new MediaRefusal('no_frames', 'the image has no frames');
    else {
      const [left, top, width, height] = [reader.uint(2), reader.uint(2), reader.uint(2), reader.uint(2)];
      if (width * height > 0) {
        growTo(state, left + width, top + height);
        return { width: state.width, height: state.height };
      }
      skipPalette(reader, reader.uint(1), 0);
      reader.skip(1); // code size
      skipData(reader);
    }
  }
}

function readsToTheEnd(state: State): boolean {
  const { reader } = state;
  try {
    skipPalette(reader, reader.uint(1), 2);
    for (;;) {
      const block = reader.uint(1);
      if (block === IMAGE) readImage(state);
      else if (block === EXTENSION) readExtension(state);
      else if (block === TRAILER) return true;
      else return endAtJunk(reader);
    }
  } catch (error) {
    if (error instanceof OutOfBytes) return false;
    throw error;
  }
}

/** Ends the walk. Like browsers, treats a byte that starts no block as the end of the image. */
function endAtJunk(reader: Reader): true {
  reader.position--;
  return true;
}

/** Skips the palette, if there is one. `rest` is the number of bytes between the flags and the palette. */
function skipPalette(reader: Reader, flags: number, rest: number): void {
  const entries = (flags & 0x80) === 0 ? 0 : 2 << (flags & 7);
  reader.skip(rest + 3 * entries);
}

/**
 * Counts an image if its data is complete and it has an area, because browsers never show an image without an area.
 * Browsers also show an incomplete first image, so the first image counts if it has at least one pixel.
 */
function readImage(state: State): void {
  const { reader } = state;
  const [left, top, width, height] = [reader.uint(2), reader.uint(2), reader.uint(2), reader.uint(2)];
  skipPalette(reader, reader.uint(1), 0);
  const codeSize = reader.uint(1);
  const isFirst = state.delays.length === 0;
  const countsEarly = isFirst && hasPixel(reader, codeSize);
  if (!countsEarly) skipData(reader);
  if (width * height > 0) {
    if (isFirst) growTo(state, left + width, top + height);
    state.delays.push(shownFor(state.delay));
  }
  state.delay = 0;
  if (countsEarly) skipData(reader);
}

/**
 * Returns whether the image data, which can be incomplete, contains a pixel. The codes at the start of the data have
 * one bit more than `codeSize`. The first code empties the dictionary, and the second code is a pixel.
 */
function hasPixel({ bytes, position }: Reader, codeSize: number): boolean {
  const needed = Math.ceil((2 * (codeSize + 1)) / 8);
  let found = 0;
  for (let at = position; found < needed && at < bytes.length && bytes[at] !== 0; at += bytes[at]! + 1) {
    found += Math.min(bytes[at]!, bytes.length - at - 1);
  }
  return found >= needed;
}

/** Enlarges the canvas like browsers. Browsers enlarge the canvas for the first frame and crop later frames. */
function growTo(state: State, width: number, height: number): void {
  state.width = Math.max(state.width, width);
  state.height = Math.max(state.height, height);
}

/**
 * Returns the time for which browsers show a frame. Browsers show frames shorter than 2/100 s for a tenth of a second.
 */
function shownFor(hundredths: number): number {
  return hundredths < 2 ? 100 : hundredths * 10;
}

function readExtension(state: State): void {
  const { reader } = state;
  const label = reader.uint(1);
  if (label === GRAPHIC_CONTROL) readGraphicControl(state);
  else if (label === APPLICATION) readApplication(state);
  skipData(reader);
}

function readGraphicControl(state: State): void {
  const { reader } = state;
  const start = reader.position;
  if (reader.uint(1) >= 4) {
    if ((reader.uint(1) & 1) === 1) state.transparent = true;
    state.delay = reader.uint(2);
  }
  reader.position = start;
}

/**
 * Reads the loop count, which is the number of repeats. 0 means forever. The loop count is a convention of browsers and
 * not part of the format.
 */
function readApplication(state: State): void {
  const { reader } = state;
  const start = reader.position;
  if (reader.uint(1) === 11 && /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(reader.text(11))) {
    if (reader.uint(1) === 3 && reader.uint(1) === 1) {
      const repeats = reader.uint(2);
      state.loop = repeats === 0 ? 0 : repeats + 1;
    }
  }
  reader.position = start;
}

function skipData(reader: Reader): void {
  for (let size = reader.uint(1); size > 0; size = reader.uint(1)) reader.skip(size);
}
