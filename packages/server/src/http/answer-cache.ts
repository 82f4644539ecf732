import { LRUCache } from 'lru-cache';

/** A finished answer: what goes over the wire, and what tells whether a caller has it already. */
export interface Answer {
  body: Buffer;
  etag: string;
}

/**
 * Finished answers of one build and generation. The first answer of another build or generation empties it, so
 * nothing outlives what it was made from.
 */
export class AnswerCache {
  readonly #answers: LRUCache<string, Answer> | undefined;
  #epoch = '';

  constructor(maxBytes: number) {
    if (maxBytes === 0) return;
    this.#answers = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ body }, key) => body.length + key.length });
  }

  get(epoch: string, key: string): Answer | undefined {
    if (epoch !== this.#epoch) {
      this.#answers?.clear();
      this.#epoch = epoch;
    }
    return this.#answers?.get(key);
  }

  set(epoch: string, key: string, answer: Answer): void {
    if (epoch === this.#epoch) this.#answers?.set(key, answer);
  }
}
