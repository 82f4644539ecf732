import { createHash } from 'node:crypto';
import type { RelayEvent } from '../event.ts';

/*
 * The server side of NIP-77. It is here because the library has only the client side. A range with an equal fingerprint
 * is skipped. Any other range is split into halves. For a small range, all its ids are sent.
 */

const VERSION = 0x61;
const SKIP = 0;
const FINGERPRINT = 1;
const IDS = 2;
const SMALL = 40;
const ENDLESS = Number.POSITIVE_INFINITY;

type Item = Pick<RelayEvent, 'id' | 'created_at'>;

/** Returns the server's response. @param message hexadecimal, as the client sent it */
export function answerComparison(items: readonly Item[], message: string): string {
  const sorted = items.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  const reader = new Reader(Buffer.from(message, 'hex'));
  const writer = new Writer();
  for (let from = 0; !reader.isAtEnd; ) {
    const bound = reader.bound();
    const mode = reader.number();
    const after = sorted.findIndex((item) => !isBelow(item, bound));
    const to = after < 0 ? sorted.length : after;
    const part = sorted.slice(from, to);
    from = to;
    if (mode === FINGERPRINT) writer.compare(part, bound, reader.bytes(16));
    else if (mode === IDS) {
      reader.bytes(32 * reader.number());
      writer.ids(part, bound);
    } else writer.skip(bound);
  }
  return writer.bytes.toString('hex');
}

interface Bound {
  timestamp: number;
  id: string;
}

function isBelow({ created_at, id }: Item, bound: Bound): boolean {
  return created_at === bound.timestamp ? id < bound.id : created_at < bound.timestamp;
}

function fingerprint(items: readonly Item[]): Buffer {
  const reversed = (hex: string) => Buffer.from(hex, 'hex').reverse().toString('hex');
  const sum = items.reduce((total, { id }) => total + BigInt(`0x${reversed(id)}`), 0n) % 2n ** 256n;
  const bytes = Buffer.from(reversed(sum.toString(16).padStart(64, '0')), 'hex');
  return createHash('sha256').update(bytes).update(varint(items.length)).digest().subarray(0, 16);
}

function varint(value: number): Buffer {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 128);
  return Buffer.from(digits);
}

class Reader {
  readonly #bytes: Buffer;
  #at = 1;
  #timestamp = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  bytes(length: number): Buffer {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  number(): number {
    let value = 0;
    for (;;) {
      const digit = this.bytes(1)[0]!;
      value = value * 128 + (digit & 127);
      if (digit < 128) return value;
    }
  }

  bound(): Bound {
    const step = this.number();
    this.#timestamp = step === 0 ? ENDLESS : this.#timestamp + step - 1;
    return { timestamp: this.#timestamp, id: this.bytes(this.number()).toString('hex') };
  }
}

class Writer {
  bytes: Buffer = Buffer.from([VERSION]);
  #timestamp = 0;

  compare(part: readonly Item[], bound: Bound, theirs: Buffer): void {
    if (theirs.equals(fingerprint(part))) this.skip(bound);
    else if (part.length <= SMALL) this.ids(part, bound);
    else {
      const middle = part[part.length >> 1]!;
      const half = { timestamp: middle.created_at, id: middle.id };
      this.#write(half, FINGERPRINT, fingerprint(part.slice(0, part.length >> 1)));
      this.#write(bound, FINGERPRINT, fingerprint(part.slice(part.length >> 1)));
    }
  }

  ids(part: readonly Item[], bound: Bound): void {
    const ids = part.map(({ id }) => Buffer.from(id, 'hex'));
    this.#write(bound, IDS, varint(part.length), ...ids);
  }

  skip(bound: Bound): void {
    this.#write(bound, SKIP);
  }

  #write({ timestamp, id }: Bound, mode: number, ...rest: Buffer[]): void {
    const step = timestamp === ENDLESS ? 0 : timestamp - this.#timestamp + 1;
    this.#timestamp = timestamp;
    const key = Buffer.from(id, 'hex');
    this.bytes = Buffer.concat([this.bytes, varint(step), varint(key.length), key, varint(mode), ...rest]);
  }
}
