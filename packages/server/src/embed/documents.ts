import type { Batch } from './batch.ts';

/** Maximum number of texts per batch. Larger batches are not faster, and queries would wait longer for their end. */
const BATCH = 8;
/** Maximum duration of a run. If a run takes longer, its process counts as hung. */
const LIMIT_MS = 5_000;
/**
 * Maximum number of attempts. Texts that have failed this often count as the cause of the failures, even if there were
 * other failures in between.
 */
const MAX_ATTEMPTS = 5;
/** Texts are cut to this length, because models ignore the rest, but tokenizers would still process it. */
const MAX_CHARACTERS = 1_000;

interface Part {
  readonly call: Call;
  /** Indices of this part's texts in the call. */
  readonly places: readonly number[];
  attempts: number;
}

interface Call {
  readonly texts: readonly string[];
  readonly vectors: (Float32Array | null)[];
  readonly outcome: PromiseWithResolvers<(Float32Array | null)[]>;
  /** Number of unfinished batches. It is 0 after the call was rejected. */
  open: number;
}

/** Texts of documents that are waiting for their vectors. */
export class Documents {
  #parts: Part[] = [];
  /** Number of calls that wait for vectors. */
  #calls = 0;

  /** Whether a text waits for its vector. */
  get isBusy(): boolean {
    return this.#calls > 0;
  }

  /** Resolves when all texts have their vectors. Rejects with the error of `rejectAll` or the reason of the signal. */
  embed(texts: readonly string[], signal: AbortSignal | undefined): Promise<(Float32Array | null)[]> {
    signal?.throwIfAborted();
    if (texts.length === 0) return Promise.resolve([]);
    // Texts of similar length are put into one batch, because all texts of a batch are padded to the length of the
    // longest one.
    const places = texts.map((_, place) => place).sort((a, b) => texts[a]!.length - texts[b]!.length);
    const call: Call = {
      texts,
      vectors: new Array(texts.length).fill(null),
      outcome: Promise.withResolvers(),
      open: Math.ceil(texts.length / BATCH),
    };
    for (let i = 0; i < places.length; i += BATCH) {
      this.#parts.push({ call, places: places.slice(i, i + BATCH), attempts: 0 });
    }
    const abort = (): void => this.#reject(call, signal!.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#calls++;
    return call.outcome.promise.finally(() => {
      this.#calls--;
      signal?.removeEventListener('abort', abort);
    });
  }

  take(): Batch | undefined {
    const part = this.#parts.shift();
    if (part === undefined) return undefined;
    const { call, places } = part;
    return {
      kind: 'document',
      texts: places.map((place) => call.texts[place]!.slice(0, MAX_CHARACTERS)),
      limitMs: LIMIT_MS,
      done: (vectors) => {
        for (const [i, place] of places.entries()) call.vectors[place] = vectors[i]!;
        call.open--;
        if (call.open === 0) call.outcome.resolve(call.vectors);
      },
      failed: (error) => {
        part.attempts++;
        if (part.attempts >= MAX_ATTEMPTS) this.#reject(call, error);
        else if (call.open > 0) this.#parts.unshift(part);
      },
    };
  }

  rejectAll(error: unknown): void {
    for (const { call } of this.#parts) this.#reject(call, error);
  }

  #reject(call: Call, error: unknown): void {
    this.#parts = this.#parts.filter((part) => part.call !== call);
    call.open = 0;
    call.outcome.reject(error);
  }
}
