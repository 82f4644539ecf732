import { endianness } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { judge, type Rule, TICKS_PER_MS, type Verdict } from './limits.ts';

/** Budgets that are in use at the same time; of more, some share one. */
const SLOTS = 1 << 16;
/** How far a budget may lie from its place. */
const PROBES = 16;
/**
 * A slot holds 20 bits that tell its budget and 44 bits of time in ticks: two years of them. It is read as two words and
 * changed as one: numbers of 64 bits are objects, which cost more than all the rest of counting.
 */
const TAG_BITS = 20;
const HIGH_TIME_BITS: number = 32 - TAG_BITS;
const HIGH_TIME: number = 2 ** HIGH_TIME_BITS;
const LOW_TIME: number = 2 ** 32;
/** Where the words of a slot lie. */
const [LOW, HIGH] = endianness() === 'LE' ? [0, 1] : [1, 0];

/**
 * Counts requests of all threads of a process together, in shared memory, without a lock and without a message. What is
 * remembered of a budget is one time, which says nothing once it has passed: then its slot is free, so nothing
 * has to be cleaned up and memory is bounded whoever calls. Two budgets are taken for one with a chance of 1 in 2^32.
 */
export class SharedLimiter {
  readonly memory: SharedArrayBuffer;
  readonly #slots: BigInt64Array;
  readonly #words: Uint32Array;
  /** What a slot is taken to hold, and what it is to hold. */
  readonly #change = new BigInt64Array(2);
  readonly #changeWords: Uint32Array = new Uint32Array(this.#change.buffer);
  readonly #clock: Clock;
  readonly #epoch: number;

  /**
   * @param clock one that is never set back, as the limiter would wait until it has caught up
   * @param epoch time of that clock from which times are counted; the same on all threads
   */
  constructor(clock: Clock, epoch: number, memory: SharedArrayBuffer = new SharedArrayBuffer(8 * SLOTS)) {
    this.memory = memory;
    this.#slots = new BigInt64Array(memory);
    this.#words = new Uint32Array(memory);
    this.#clock = clock;
    this.#epoch = epoch;
  }

  /**
   * Counts a request of so many units against the budget that `key` has under `rule`. The words are read one by one, with
   * no regard to other threads: what they said was true if both still say so when they are changed.
   */
  take(rule: Rule, key: string, cost = 1): Verdict {
    const { place, tag } = hash(rule.name, key);
    for (;;) {
      const now = this.#clock.now() - this.#epoch;
      const slot = this.#find(place, tag, now);
      const [high, low] = [this.#words[2 * slot + HIGH]!, this.#words[2 * slot + LOW]!];
      const before = timeOf(high, low);
      const { verdict, arrival } = judge(rule, { arrival: before, cost }, now);
      const ticks = Math.round(arrival * TICKS_PER_MS);
      const owner = before <= now ? tag : tagOf(high);
      const after = verdict.allowed
        ? { high: owner * HIGH_TIME + Math.floor(ticks / LOW_TIME), low: ticks % LOW_TIME }
        : { high, low };
      // Refused, too: only this tells that both words are of one time.
      if (this.#swap(slot, { high, low }, after)) return verdict;
    }
  }

  /** The slot of a budget, or one that is free. When all around are taken, the first is shared. */
  #find(place: number, tag: number, now: number): number {
    let free = -1;
    for (let i = 0; i < PROBES; i++) {
      const slot = (place + i) & (SLOTS - 1);
      const high = this.#words[2 * slot + HIGH]!;
      if (tagOf(high) === tag) return slot;
      if (free < 0 && timeOf(high, this.#words[2 * slot + LOW]!) <= now) free = slot;
    }
    return free < 0 ? place : free;
  }

  /** Changes a slot unless another thread has. */
  #swap(slot: number, before: Words, after: Words): boolean {
    const words = this.#changeWords;
    words[HIGH] = before.high;
    words[LOW] = before.low;
    words[2 + HIGH] = after.high;
    words[2 + LOW] = after.low;
    const [expected, wanted] = [this.#change[0]!, this.#change[1]!];
    return Atomics.compareExchange(this.#slots, slot, expected, wanted) === expected;
  }
}

interface Words {
  high: number;
  low: number;
}

function tagOf(high: number): number {
  return high >>> HIGH_TIME_BITS;
}

function timeOf(high: number, low: number): number {
  return ((high % HIGH_TIME) * LOW_TIME + low) / TICKS_PER_MS;
}

/** FNV-1a (Fowler, Noll & Vo), twice 32 bits with different beginnings, over a name and a key without putting them together. */
function hash(name: string, key: string): { place: number; tag: number } {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  const length = name.length + 1 + key.length;
  for (let i = 0; i < length; i++) {
    const unit = i < name.length ? name.charCodeAt(i) : i === name.length ? 0x20 : key.charCodeAt(i - name.length - 1);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return { place: (a ^ (a >>> 16)) & (SLOTS - 1), tag: (b >>> HIGH_TIME_BITS) | 1 };
}
