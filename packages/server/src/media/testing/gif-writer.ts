/** A frame of a test GIF. By default, the frame fills the canvas with colour 0 for a tenth of a second. */
export interface TestFrame {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  /** Duration in hundredths of a second. Null omits the graphic control extension. */
  readonly delay?: number | null;
  readonly disposal?: number;
  /** Index of the transparent colour. */
  readonly transparent?: number;
  /** A colour for the whole frame, or a colour for each pixel. A frame has at most 4 colours. */
  readonly pixels?: number | Uint8Array;
  /** Image data to use instead of encoding `pixels`. */
  readonly data?: Uint8Array;
}

export interface TestGif {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly TestFrame[];
  /** Number of repeats in the NETSCAPE extension. 0 means forever. Null omits the extension. */
  readonly loop?: number | null;
  readonly trailer?: boolean;
  /** Blocks between the palette and the first frame. */
  readonly before?: Uint8Array;
}

/** Black, white, red, blue. */
const PALETTE = [0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 255];
const CODE_SIZE = 2;
const CLEAR = 1 << CODE_SIZE;
const END = CLEAR + 1;
const MAX_CODES = 4096;

/** Writes a GIF for a test. The GIF can be invalid. */
export function writeGif(gif: TestGif): Uint8Array {
  const { width, height, frames, loop = 0, trailer = true, before } = gif;
  const parts: Uint8Array[] = [Buffer.from('GIF89a'), Uint8Array.of(...u16(width), ...u16(height), 0x81, 0, 0)];
  parts.push(Uint8Array.from(PALETTE));
  if (loop !== null)
    parts.push(Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01', 'latin1'), Uint8Array.of(...u16(loop), 0));
  if (before !== undefined) parts.push(before);
  for (const frame of frames) parts.push(...frameParts(frame, width, height));
  if (trailer) parts.push(Uint8Array.of(0x3b));
  return Buffer.concat(parts);
}

/** Returns a comment extension of about this many bytes. */
export function comment(bytes: number): Uint8Array {
  const block = Buffer.alloc(256, 'A');
  block[0] = 255;
  const blocks = Array.from({ length: Math.ceil(bytes / 256) }, () => block);
  return Buffer.concat([Uint8Array.of(0x21, 0xfe), ...blocks, Uint8Array.of(0)]);
}

/** Returns the image data of a frame in a single colour. */
export function solid(pixels: number, colour = 0): Uint8Array {
  return subBlocks(lzw(pixels, () => colour));
}

function frameParts(frame: TestFrame, canvasWidth: number, canvasHeight: number): Uint8Array[] {
  const { x = 0, y = 0, width = canvasWidth, height = canvasHeight, delay = 10, disposal = 1, transparent } = frame;
  const parts: Uint8Array[] = [];
  if (delay !== null) {
    const flags = (disposal << 2) | (transparent === undefined ? 0 : 1);
    parts.push(Uint8Array.of(0x21, 0xf9, 4, flags, ...u16(delay), transparent ?? 0, 0));
  }
  parts.push(Uint8Array.of(0x2c, ...u16(x), ...u16(y), ...u16(width), ...u16(height), 0));
  parts.push(frame.data ?? encode(frame.pixels ?? 0, width * height));
  return parts;
}

function encode(pixels: number | Uint8Array, count: number): Uint8Array {
  if (typeof pixels === 'number') return solid(count, pixels);
  return subBlocks(lzw(count, (at) => pixels[at]!));
}

/**
 * Compresses pixels with GIF's variable-width LZW. The dictionary maps the code of a prefix and the next colour to a
 * code.
 */
function lzw(count: number, colourAt: (index: number) => number): number[] {
  const out = new BitWriter();
  // 0 is the code of a colour and never an entry's code, so here it means that there is no entry.
  const dictionary = new Uint16Array(MAX_CODES * 4);
  let width = CODE_SIZE + 1;
  let next = END + 1;
  out.write(CLEAR, width);
  let prefix = count > 0 ? colourAt(0) : -1;
  for (let i = 1; i < count; i++) {
    const colour = colourAt(i);
    const key = prefix * 4 + colour;
    const known = dictionary[key]!;
    if (known !== 0) {
      prefix = known;
      continue;
    }
    out.write(prefix, width);
    if (next < MAX_CODES) {
      if (next === 1 << width) width++;
      dictionary[key] = next++;
    } else {
      out.write(CLEAR, width);
      dictionary.fill(0);
      width = CODE_SIZE + 1;
      next = END + 1;
    }
    prefix = colour;
  }
  if (prefix >= 0) out.write(prefix, width);
  if (next === 1 << width && width < 12) width++;
  out.write(END, width);
  return out.finish();
}

class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;
  #held = 0;

  write(code: number, width: number): void {
    this.#bits |= code << this.#held;
    this.#held += width;
    for (; this.#held >= 8; this.#held -= 8) {
      this.#bytes.push(this.#bits & 255);
      this.#bits >>>= 8;
    }
  }

  finish(): number[] {
    if (this.#held > 0) this.#bytes.push(this.#bits & 255);
    return this.#bytes;
  }
}

function subBlocks(data: readonly number[]): Uint8Array {
  const bytes = [CODE_SIZE];
  for (let i = 0; i < data.length; i += 255) {
    const block = data.slice(i, i + 255);
    bytes.push(block.length, ...block);
  }
  return Uint8Array.from([...bytes, 0]);
}

function u16(value: number): [number, number] {
  return [value & 255, value >> 8];
}
