import { endianness } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { type Charge, foresee, judge, type Rule, TABLES, TICKS_PER_MS, type Verdict } from './limits.ts';

/**
 * Number of slots per table. If there are more budgets at the same time, a new budget replaces the one that is used
 * least.
 */
const SLOTS = 1 << 16;
/** Number of consecutive slots that a budget can use, starting with its own slot. */
const PROBES = 16;
/**
 * A slot has a 20-bit tag for its budget and a 44-bit time in ticks, which is enough for two years. The slot is written
 * as one 64-bit number but read as two words, because 64-bit numbers are objects in JavaScript, and objects take more
 * time than the rest of the counting.
 */
const TAG_BITS = 20;
const HIGH_TIME_BITS: number = 32 - TAG_BITS;
const HIGH_TIME: number = 2 ** HIGH_TIME_BITS;
const LOW_TIME: number = 2 ** 32;
/** Positions of the two words within a slot. */
const [LOW, HIGH] = endianness() === 'LE' ? [0, 1] : [1, 0];

/**
 * Counts the requests of all threads of a process in shared memory, without locks or messages. A slot stores a budget
 * as a single time. When this time has passed, the slot is free, so that no clean-up is needed and memory is bounded.
 * The probability that two budgets are confused is 1 in 2^32.
 *
 * Each kind of request has its own table, so that a flood of one kind does not affect the others. When all slots that a
 * new budget can use are taken, the new budget replaces the budget with the least debt. Therefore a new caller never
 * inherits debt, and budgets that were hardly used are dropped first.
 */
export class SharedLimiter {
  readonly memory: SharedArrayBuffer;
  readonly #slots: BigInt64Array;
  readonly #words: Uint32Array;
  /** Expected and new content of a slot. */
  readonly #change = new BigInt64Array(2);
  readonly #changeWords: Uint32Array = new Uint32Array(this.#change.buffer);
  readonly #clock: Clock;
  readonly #epoch: number;

  /**
   * @param clock a monotonic clock. If it was not monotonic and was set back, the limiter would wait until the clock
   *   has caught up.
   * @param epoch start of time on that clock. It must be the same in all threads
   */
  constructor(clock: Clock, epoch: number, memory: SharedArrayBuffer = makeMemory()) {
    this.memory = memory;
    this.#slots = new BigInt64Array(memory);
    this.#words = new Uint32Array(memory);
    this.#clock = clock;
    this.#epoch = epoch;
  }

  /**
   * Counts a request against several budgets. If one of them is used up, the request is refused and counts against none
   * of them. If another thread uses up a wider budget at the same moment, the request counts against the narrower
   * budgets although it is refused.
   * @param charges the caller's own budget first, then wider budgets
   * @returns the verdict of the caller's own budget, or of the first budget that is used up
   */
  takeAll(charges: readonly Charge[], cost = 1): Verdict {
    const foreseen = this.lookAtAll(charges);
    return foreseen.allowed ? firstRefusal(charges, ({ rule, key }) => this.take(rule, key, cost)) : foreseen;
  }

  /** Returns the verdict of `takeAll` without counting the request. */
  lookAtAll(charges: readonly Charge[]): Verdict {
    return firstRefusal(charges, ({ rule, key }) => this.look(rule, key));
  }

  /** Returns the verdict on one more request without counting the request. */
  look(rule: Rule, key: string): Verdict {
    const now = this.#clock.now() - this.#epoch;
    const { start, place, tag } = placeOf(rule, key);
    const { isOwn, high, low } = this.#find(start, place, tag, now);
    return foresee(rule, isOwn ? timeOf(high, low) : 0, now);
  }

  /**
   * Counts a request of `cost` units for `key` under `rule`. If the slot has changed since it was found, looks for the
   * budget again, because another thread may have started the same budget in this slot or in another slot.
   */
  take(rule: Rule, key: string, cost = 1): Verdict {
    const { start, place, tag } = placeOf(rule, key);
    for (;;) {
      const now = this.#clock.now() - this.#epoch;
      const { slot, isOwn, high, low } = this.#find(start, place, tag, now);
      const before = isOwn ? timeOf(high, low) : 0;
      const { verdict, arrival } = judge(rule, { arrival: before, cost }, now);
      const ticks = Math.round(arrival * TICKS_PER_MS);
      const after = verdict.allowed
        ? { high: tag * HIGH_TIME + Math.floor(ticks / LOW_TIME), low: ticks % LOW_TIME }
        : { high, low };
      // The swap is also needed for a refusal, because only a successful swap proves that the slot still had this
      // content.
      if (this.#swap(slot, { high, low }, after)) return verdict;
    }
  }

  /**
   * Returns the slot of a budget. If the budget has no slot, returns a slot that the budget can use: a free slot, or
   * the slot with the least debt.
   */
  #find(start: number, place: number, tag: number, now: number): Slot {
    const words = this.#words;
    let least = Number.POSITIVE_INFINITY;
    let best: Slot = { slot: start, isOwn: false, high: 0, low: 0 };
    for (let i = 0; i < PROBES; i++) {
      const slot = start + ((place + i) & (SLOTS - 1));
      // These reads are atomic, because the compiler could move or omit ordinary reads.
      const high = Atomics.load(words, 2 * slot + HIGH);
      const low = Atomics.load(words, 2 * slot + LOW);
      // If the two words were read at different moments, a slot that another thread takes for this budget could seem to
      // belong to a different budget.
      if (Atomics.load(words, 2 * slot + HIGH) !== high) {
        i--;
        continue;
      }
      if (tagOf(high) === tag) return { slot, isOwn: true, high, low };
      const debt = Math.max(0, timeOf(high, low) - now);
      if (debt < least) [least, best] = [debt, { slot, isOwn: false, high, low }];
    }
    return best;
  }

  /** Changes a slot if no other thread has changed it. @returns whether the slot was changed */
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

/** Returns the first verdict that refuses. If none refuses, returns the first verdict. */
function firstRefusal(charges: readonly Charge[], judgeOne: (charge: Charge) => Verdict): Verdict {
  let own: Verdict | undefined;
  for (const charge of charges) {
    const verdict = judgeOne(charge);
    if (!verdict.allowed) return verdict;
    own ??= verdict;
  }
  return own!;
}

interface Words {
  high: number;
  low: number;
}

/** A slot with its content. `isOwn` is true if the slot belongs to the requested budget. */
interface Slot extends Words {
  slot: number;
  isOwn: boolean;
}

function tagOf(high: number): number {
  return high >>> HIGH_TIME_BITS;
}

function timeOf(high: number, low: number): number {
  return ((high % HIGH_TIME) * LOW_TIME + low) / TICKS_PER_MS;
}

/** Makes memory for all tables. */
function makeMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(8 * SLOTS * TABLES.length);
}

/**
 * Returns the first slot of a budget's table, the budget's place in that table, and its tag. The place and the tag are
 * two hashes of the rule's name followed by the key. Both are FNV-1a (Fowler, Noll & Vo) with 32 bits, with different
 * seeds.
 */
function placeOf({ name, table }: Rule, key: string): { start: number; place: number; tag: number } {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  const length = name.length + 1 + key.length;
  for (let i = 0; i < length; i++) {
    const unit = i < name.length ? name.charCodeAt(i) : i === name.length ? 0x20 : key.charCodeAt(i - name.length - 1);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 13;
  }
  const start = SLOTS * TABLES.indexOf(table);
  return { start, place: (a ^ (a >>> 16)) & (SLOTS - 1), tag: (b >>> HIGH_TIME_BITS) | 1 };
}
