/** An array of unsigned 32-bit numbers that grows as it is written. */
export class GrowingUint32 {
  length = 0;
  #values: Uint32Array<ArrayBuffer> = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.#values.length) this.#values = new Uint32Array(grow(this.#values.buffer, 0));
    this.#values[this.length] = value;
    this.length += 1;
  }

  /** Returns the numbers written so far as a view. The view is valid until the next push. */
  view(): Uint32Array<ArrayBuffer> {
    return this.#values.subarray(0, this.length);
  }
}

/** An array of bytes that grows as it is written. */
export class GrowingBytes {
  length = 0;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(4096);

  append(bytes: Uint8Array): void {
    const end = this.length + bytes.length;
    if (end > this.#bytes.length) this.#bytes = new Uint8Array(grow(this.#bytes.buffer, end));
    this.#bytes.set(bytes, this.length);
    this.length = end;
  }

  /** Returns the bytes written so far as a view. The view is valid until the next append. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }
}

/** Grows by half, so that a million appends copy little. The size is rounded up to whole 32-bit numbers. */
function grow(buffer: ArrayBuffer, atLeast: number): ArrayBuffer {
  return buffer.transfer(Math.ceil(Math.max(atLeast, buffer.byteLength * 1.5) / 4) * 4);
}
