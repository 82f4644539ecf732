import type { Clock } from '../clock.ts';
import { judge, type Rule, TICKS_PER_MS, type Verdict } from './rules.ts';

/** Budgets that are in use at the same time; of more, some share one. */
const SLOTS = 1 << 16;
/** How far a budget may lie from its place. */
const PROBES = 16;
/** A slot holds 20 bits that tell its budget and 44 bits of time in ticks: two years of them. */
const TAG_BITS = 20;
const TIME_BITS = 44n;
const TIME_MASK: bigint = (1n << TIME_BITS) - 1n;

/**
 * Counts requests of all threads of a process together, in shared memory, without a lock and without a message. What is
 * remembered of a budget is one time, which says nothing once it has passed: then its slot is free, so nothing
 * has to be cleaned up and memory is bounded whoever calls. Two budgets are taken for one with a chance of 1 in 2^32.
 */
export class SharedLimiter {
  readonly memory: SharedArrayBuffer;
  readonly #slots: BigInt64Array;
  readonly #clock: Clock;
  readonly #epoch: number;

  /** @param epoch milliseconds since the Unix epoch from which times are counted; the same on all threads */
  constructor(clock: Clock, epoch: number, memory: SharedArrayBuffer = new SharedArrayBuffer(8 * SLOTS)) {
    this.memory = memory;
    this.#slots = new BigInt64Array(memory);
    this.#clock = clock;
    this.#epoch = epoch;
  }

  /** Counts a request of so many units against the budget that `key` has under `rule`. */
  take(rule: Rule, key: string, cost = 1): Verdict {
    const { place, tag } = hash(`${rule.name} ${key}`);
    for (;;) {
      const now = this.#clock.now() - this.#epoch;
      const slot = this.#find(place, tag, now);
      const before = Atomics.load(this.#slots, slot);
      const isFree = timeOf(before) <= now;
      const { verdict, arrival } = judge(rule, { arrival: timeOf(before), cost }, now);
      const after = ((isFree ? tag : tagOf(before)) << TIME_BITS) | BigInt(Math.round(arrival * TICKS_PER_MS));
      if (!verdict.allowed || Atomics.compareExchange(this.#slots, slot, before, after) === before) return verdict;
    }
  }

  /** The slot of a budget, or one that is free. When all around are taken, the first is shared. */
  #find(place: number, tag: bigint, now: number): number {
    let free = -1;
    for (let i = 0; i < PROBES; i++) {
      const slot = (place + i) & (SLOTS - 1);
      const value = Atomics.load(this.#slots, slot);
      if (tagOf(value) === tag) return slot;
      if (free < 0 && timeOf(value) <= now) free = slot;
    }
    return free < 0 ? place : free;
  }
}

function tagOf(value: bigint): bigint {
  return BigInt.asUintN(TAG_BITS, value >> TIME_BITS);
}

function timeOf(value: bigint): number {
  return Number(value & TIME_MASK) / TICKS_PER_MS;
}

/** FNV-1a (Fowler, Noll & Vo), twice 32 bits with different beginnings. */
function hash(text: string): { place: number; tag: bigint } {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return { place: (a ^ (a >>> 16)) & (SLOTS - 1), tag: BigInt((b >>> (32 - TAG_BITS)) | 1) };
}
