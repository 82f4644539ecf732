import { KERNELS } from './kernels-wasm.ts';

/**
 * The compiled inner loops (wasm/kernels.ts). Addresses are byte offsets into the memory that was passed to
 * `openKernels`.
 */
export interface Kernels {
  /** @returns the number of rows in the list */
  nearest(
    codes: number,
    ranges: number,
    rangeCount: number,
    codeBytes: number,
    query: number,
    want: number,
    histogram: number,
    list: number,
    far: number,
  ): number;
  markSame(
    codes: number,
    vectors: number,
    rows: number,
    count: number,
    codeBytes: number,
    farthest: number,
    same: number,
    marks: number,
  ): void;
  dots(vectors: number, rows: number, count: number, dimensions: number, query: number, out: number): void;
}

let module: WebAssembly.Module | undefined;

/** Instantiates the loops for a shared memory. They are compiled once per thread, which takes about a millisecond. */
export function openKernels(memory: WebAssembly.Memory): Kernels {
  module ??= new WebAssembly.Module(decodeBase64(KERNELS));
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Kernels;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64. Written by hand, because the engine uses neither Node nor browser APIs. */
function decodeBase64(text: string): Uint8Array {
  const digits = text.replace(/=+$/, '');
  const bytes = new Uint8Array((digits.length * 3) >> 2);
  let bits = 0;
  let value = 0;
  let at = 0;
  for (const digit of digits) {
    value = (value << 6) | ALPHABET.indexOf(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (value >> bits) & 255;
  }
  return bytes;
}
