const longest = 4095;
const slots = 16384;

// These arrays are shared between calls, because all frames use the same dictionary.
const keys = new Int32Array(slots);
const codes = new Uint16Array(slots);

/** Compresses palette indices with GIF's variable-width LZW, in sub-blocks of up to 255 bytes with their terminator. */
export function lzw(indices: Uint8Array, minimum: number): Uint8Array {
  const clear = 1 << minimum;
  // This size is enough for the worst case: one code of 12 bits per index, and a length byte for each block of 255
  // bytes.
  const out = new BlockWriter(minimum, Math.ceil(indices.length * 1.6) + 1024);
  let width = minimum + 1;
  let next = clear + 2;
  keys.fill(-1);
  out.write(clear, width);
  let prefix = indices[0]!;
  for (let i = 1; i < indices.length; i++) {
    const index = indices[i]!;
    const key = (prefix << 8) | index;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 18) & (slots - 1);
    while (keys[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & (slots - 1);
    if (keys[slot] === key) {
      prefix = codes[slot]!;
      continue;
    }
    out.write(prefix, width);
    prefix = index;
    if (next > longest) {
      out.write(clear, width);
      keys.fill(-1);
      width = minimum + 1;
      next = clear + 2;
      continue;
    }
    if (next === 1 << width) width++;
    keys[slot] = key;
    codes[slot] = next++;
  }
  out.write(prefix, width);
  // The decoder has added an entry for the last code, so it may expect an end mark that is one bit wider.
  if (next === 1 << width && width < 12) width++;
  out.write(clear + 1, width);
  return out.finish();
}

class BlockWriter {
  private readonly bytes: Uint8Array;
  private at = 2;
  private blockStart = 1;
  private bits = 0;
  private held = 0;

  constructor(minimum: number, capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.bytes[0] = minimum;
  }

  write(code: number, width: number): void {
    this.held |= code << this.bits;
    this.bits += width;
    while (this.bits >= 8) {
      this.push(this.held & 255);
      this.held >>>= 8;
      this.bits -= 8;
    }
  }

  finish(): Uint8Array {
    if (this.bits > 0) this.push(this.held & 255);
    const length = this.at - this.blockStart - 1;
    this.bytes[this.blockStart] = length;
    // An empty last block is itself the terminator.
    const end = length === 0 ? this.at : this.at + 1;
    return this.bytes.subarray(0, end);
  }

  private push(byte: number): void {
    this.bytes[this.at++] = byte;
    if (this.at - this.blockStart === 256) {
      this.bytes[this.blockStart] = 255;
      this.blockStart = this.at++;
    }
  }
}
