import { MediaRefusal } from '../refusal.ts';
import { OutOfBytes, Reader, unreadable, type Walk } from './walk.ts';

const ANIMATED = 0x02;
const ALPHA = 0x10;
const RIFF_HEADER_BYTES = 12;

interface State {
  readonly reader: Reader;
  readonly delays: number[];
  width: number;
  height: number;
  animated: boolean;
  loop: number;
  transparent: boolean;
}

/**
 * Walks the chunks of a WebP in one pass. Throws MediaRefusal `unreadable` if the file is cut off, because the decoder
 * accepts only complete WebP files. Throws MediaRefusal `no_frames` if there is nothing to show.
 */
export function walkWebp(bytes: Uint8Array): Walk {
  if (bytes.length < RIFF_HEADER_BYTES) throw unreadable('header');
  const declared = new Reader(bytes, 4).uint(4) + 8;
  const reader = new Reader(bytes.subarray(0, declared), RIFF_HEADER_BYTES);
  const state: State = { reader, delays: [], width: 0, height: 0, animated: false, loop: 1, transparent: false };
  if (!readsToTheEnd(state) || declared > bytes.length) throw unreadable('chunks');
  const { delays, width, height, loop, transparent } = state;
  if (delays.length === 0) throw new MediaRefusal('no_frames', 'the image has no frames');
  const trailingBytes = Math.max(0, bytes.length - declared);
  return { format: 'webp', width, height, delays, loop, transparent, truncated: false, trailingBytes };
}

/**
 * Returns the same canvas size as `walkWebp`, but reads only the first chunk. Throws OutOfBytes if that chunk is
 * incomplete.
 */
export function measureWebp(start: Uint8Array): { width: number; height: number } {
  const reader = new Reader(start, RIFF_HEADER_BYTES);
  const state: State = { reader, delays: [], width: 0, height: 0, animated: false, loop: 1, transparent: false };
  const name = reader.text(4);
  reader.skip(4); // its size
  READERS[name]?.(state);
  return { width: state.width, height: state.height };
}

function readsToTheEnd(state: State): boolean {
  const { reader } = state;
  try {
    while (reader.left > 0) readChunk(state);
    return true;
  } catch (error) {
    if (error instanceof OutOfBytes) return false;
    throw error;
  }
}

function readChunk(state: State): void {
  const { reader } = state;
  const name = reader.text(4);
  const size = reader.uint(4);
  const start = reader.position;
  // A frame counts only if it is complete.
  reader.skip(size);
  const end = reader.position + Math.min(size % 2, reader.left);
  reader.position = start;
  READERS[name]?.(state);
  reader.position = end;
}

const READERS: Record<string, (state: State) => void> = {
  VP8X: (state) => {
    const { reader } = state;
    const flags = reader.uint(1);
    state.animated = (flags & ANIMATED) !== 0;
    state.transparent = (flags & ALPHA) !== 0;
    reader.skip(3);
    state.width = reader.uint(3) + 1;
    state.height = reader.uint(3) + 1;
  },
  ANIM: (state) => {
    state.reader.skip(4); // background colour, which browsers do not paint
    state.loop = state.reader.uint(2);
  },
  ANMF: (state) => {
    if (!state.animated) return;
    state.reader.skip(12); // place and size
    state.delays.push(shownFor(state.reader.uint(3)));
  },
  'VP8 ': (state) => {
    const { reader } = state;
    reader.skip(6); // frame tag and start code
    const width = reader.uint(2) & 0x3fff;
    addStill(state, width, reader.uint(2) & 0x3fff);
  },
  VP8L: (state) => {
    const { reader } = state;
    reader.skip(1); // signature
    const bits = reader.uint(4);
    if (((bits >>> 28) & 1) === 1) state.transparent = true;
    addStill(state, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  },
};

/** Adds the picture of a file without animation. If the file declares no canvas, the picture's own size is used. */
function addStill(state: State, width: number, height: number): void {
  if (state.animated || state.delays.length > 0) return;
  if (state.width === 0) [state.width, state.height] = [width, height];
  state.delays.push(100);
}

/** Returns the time for which browsers show a frame. Browsers show frames of 10 ms or less for a tenth of a second. */
function shownFor(milliseconds: number): number {
  return milliseconds <= 10 ? 100 : milliseconds;
}
