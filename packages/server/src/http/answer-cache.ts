import { LRUCache } from 'lru-cache';
import type { Answer } from './answer.ts';

/** Characters of addresses and of the keys they come to: some five thousand addresses. */
const ADDRESS_CHARACTERS = 1_000_000;

/**
 * Finished answers of one build and generation. The first question about another build or generation empties it, so
 * nothing outlives what it was made from.
 */
export class AnswerCache {
  readonly #answers: LRUCache<string, Answer> | undefined;
  /** What an address asks for. That does not depend on the build, so it outlives a swap. */
  readonly #keys: LRUCache<string, string>;
  #epoch = '';

  /** @param perf tells the milliseconds that answers kept for a time are kept by */
  constructor(maxBytes: number, perf: { now(): number } = performance) {
    this.#keys = new LRUCache({
      maxSize: ADDRESS_CHARACTERS,
      sizeCalculation: (key, address) => key.length + address.length,
    });
    if (maxBytes === 0) return;
    // Compressed forms come later, and take a fifth of it each at most.
    const sizeCalculation = ({ body }: Answer, key: string) => Math.ceil(body.length * 1.4) + key.length;
    this.#answers = new LRUCache({ maxSize: maxBytes, sizeCalculation, perf, ttlResolution: 0 });
  }

  /** The answer to an address that was asked before, without reading the address again. */
  getByAddress(epoch: string, address: string): Answer | undefined {
    const key = this.#keys.get(address);
    return key === undefined ? undefined : this.get(epoch, key);
  }

  get(epoch: string, key: string): Answer | undefined {
    if (epoch !== this.#epoch) {
      this.#answers?.clear();
      this.#epoch = epoch;
    }
    return this.#answers?.get(key);
  }

  /** @param seconds how long it may be given; as long as its epoch lasts if left out */
  set(epoch: string, key: string, answer: Answer, seconds?: number): void {
    const options = seconds === undefined ? {} : { ttl: seconds * 1_000 };
    if (epoch === this.#epoch) this.#answers?.set(key, answer, options);
  }

  noteAddress(address: string, key: string): void {
    this.#keys.set(address, key);
  }
}
