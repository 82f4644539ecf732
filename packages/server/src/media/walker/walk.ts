import type { MediaFormat } from '../derivatives.ts';
import { MediaRefusal } from '../refusal.ts';

/** The structure of a file, read without decoding any pixels. */
export interface Walk {
  readonly format: MediaFormat;
  /** Width of the canvas in pixels, as in browsers. */
  readonly width: number;
  readonly height: number;
  /** Duration of each counted frame in milliseconds, as in browsers. */
  readonly delays: readonly number[];
  /** Number of times that the animation runs. 0 means forever. */
  readonly loop: number;
  readonly transparent: boolean;
  /** Whether the file ends early. Incomplete frames are not counted, except the first frame of a GIF. */
  readonly truncated: boolean;
  /** Bytes after the end of the image. */
  readonly trailingBytes: number;
}

/** The error that Reader throws at the end of the bytes. Walkers turn this error into `truncated`. */
export class OutOfBytes extends Error {}

/** Reads little-endian numbers and never reads past the end. */
export class Reader {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.bytes = bytes;
    this.position = position;
  }

  get left(): number {
    return this.bytes.length - this.position;
  }

  uint(size: 1 | 2 | 3 | 4): number {
    const at = this.position;
    this.skip(size);
    let value = 0;
    for (let i = size - 1; i >= 0; i--) value = value * 256 + this.bytes[at + i]!;
    return value;
  }

  text(length: number): string {
    const at = this.position;
    this.skip(length);
    return latin1(this.bytes, at, length);
  }

  skip(length: number): void {
    if (length > this.left) throw new OutOfBytes();
    this.position += length;
  }
}

export function latin1(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** Returns the error for a file that ends before there is anything to show. */
export function unreadable(what: string): MediaRefusal {
  return new MediaRefusal('unreadable', `the file ends in the middle of its ${what}`);
}
