import { GrowingBytes, GrowingUint32 } from './growing.ts';

/** Maximum size of a section of records, because offsets have 32 bits. */
const MAX_BYTES = 2 ** 32 - 1;

/** Consecutive records of bytes with their offsets. For example, the records |a|bbb|cc| have the offsets 0, 1, 4, 6. */
export class PackedWriter {
  readonly #bytes = new GrowingBytes();
  readonly #offsets = new GrowingUint32();

  constructor() {
    this.#offsets.push(0);
  }

  add(record: Uint8Array): void {
    if (this.#bytes.length + record.length > MAX_BYTES) throw new RangeError('a build holds at most 4 GiB of records');
    this.#bytes.append(record);
    this.#offsets.push(this.#bytes.length);
  }

  /** Returns the views of the written records. */
  finish(): Packed {
    return new Packed(this.#offsets.view(), this.#bytes.view());
  }
}

/** Records that are read by their number. */
export interface Records {
  readonly length: number;
  /** Returns record `i`. Throws RangeError if there is none. */
  get(i: number): Uint8Array;
}

/** Records of equal length, which need no offsets. */
export class EqualRecords implements Records {
  readonly length: number;
  readonly #width: number;
  readonly #read: (start: number, end: number) => Uint8Array;

  constructor(length: number, width: number, read: (start: number, end: number) => Uint8Array) {
    this.length = length;
    this.#width = width;
    this.#read = read;
  }

  get(i: number): Uint8Array {
    checkNumber(i, this.length);
    return this.#read(i * this.#width, (i + 1) * this.#width);
  }
}

/** Records that are not in memory. Their bytes are read on demand. */
export class RemoteRecords implements Records {
  readonly #offsets: Uint32Array;
  readonly #read: (start: number, end: number) => Uint8Array;

  constructor(offsets: Uint32Array, read: (start: number, end: number) => Uint8Array) {
    this.#offsets = offsets;
    this.#read = read;
  }

  get length(): number {
    return this.#offsets.length - 1;
  }

  get(i: number): Uint8Array {
    checkNumber(i, this.length);
    return this.#read(this.#offsets[i]!, this.#offsets[i + 1]!);
  }
}

export class Packed implements Records {
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;

  constructor(offsets: Uint32Array, bytes: Uint8Array) {
    this.offsets = offsets;
    this.bytes = bytes;
  }

  get length(): number {
    return this.offsets.length - 1;
  }

  /** Returns record `i` as a view. Throws RangeError if there is none. */
  get(i: number): Uint8Array {
    checkNumber(i, this.length);
    return this.bytes.subarray(this.offsets[i]!, this.offsets[i + 1]!);
  }
}

function checkNumber(i: number, length: number): void {
  if (!(Number.isInteger(i) && i >= 0 && i < length)) throw new RangeError(`no document ${i}`);
}
