import os from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { EngineOptions } from './child/protocol.ts';
import type { Documents } from './documents.ts';
import type { Queries } from './queries.ts';
import { type EmbedderState, Runner } from './runner.ts';

/** A process that started on demand ends after this time without a text, because it uses 90 MB. */
const IDLE_MS = 600_000;
/**
 * With this number of consecutive texts, a second process for documents is started, if there is a free core and
 * `ROOM_BYTES` of free memory. On two cores, this process shortens the time for adding 93,000 GIFs from 146 s to 101 s.
 */
const MANY_TEXTS = 2_048;
const ROOM_BYTES = 1_000_000_000;
/** Maximum pause between consecutive texts, in milliseconds. After a longer pause, the count starts again. */
const PAUSE_MS = 1_000;

export interface RunnersOptions {
  readonly engine: EngineOptions;
  readonly dimensions: number;
  readonly queries: Queries;
  readonly documents: Documents;
  /** Called when no text can be embedded now. `final` is true if longer waiting would not help. */
  readonly down: (error: Error, final: boolean) => void;
  readonly log: Log;
  readonly clock: Clock;
  readonly lazy: boolean;
  readonly idleMs?: number | undefined;
  readonly manyTexts?: number | undefined;
}

/** The processes of an embedder: one for all texts, and a second process while many documents arrive. */
export class Runners {
  readonly #options: RunnersOptions;
  readonly #opened: number;
  #first: Runner | undefined;
  #second: Runner | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Number of documents that arrived without a pause, and the time when the last of these documents were done. */
  #row = { texts: 0, doneAt: 0 };

  constructor(options: RunnersOptions) {
    this.#options = options;
    this.#opened = options.clock.now();
    if (!options.lazy) this.#running();
  }

  /** The state of the first process. While no process is needed, the embedder counts as ready. */
  get state(): EmbedderState {
    return this.#first?.state ?? { state: 'ready', since: this.#opened, why: null };
  }

  get pids(): readonly (number | undefined)[] {
    return [this.#first?.pid, this.#second?.pid];
  }

  /** Starts the first process if it is not running, and notifies it of new work. */
  wake(): void {
    this.#running().wake();
  }

  /** Embeds documents that are waiting. @param done settles when these documents have their vectors */
  wakeForDocuments(texts: number, done: Promise<unknown>): void {
    this.wake();
    const { clock, engine, documents, manyTexts = MANY_TEXTS } = this.#options;
    if (clock.now() - this.#row.doneAt > PAUSE_MS) this.#row.texts = 0;
    this.#row.texts += texts;
    // If the second process fails, the first process embeds the remaining documents.
    if (this.#row.texts >= manyTexts && engine.provider !== 'http' && hasRoom()) {
      this.#second ??= this.#start({ next: () => documents.take(), down: () => {} });
    }
    this.#second?.wake();
    const end = () => {
      this.#row.doneAt = clock.now();
    };
    done.then(end, end);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all([this.#first?.close(), this.#second?.close()]);
  }

  #running(): Runner {
    const { queries, documents, down, lazy, idleMs = IDLE_MS } = this.#options;
    if (this.#first === undefined) {
      const own = this.#start({
        next: () => queries.take() ?? documents.take(),
        // If a process has ended because it was idle, the waiting texts now wait for the next process.
        down: (error, final) => own === this.#first && down(error, final),
      });
      this.#first = own;
    }
    if (lazy) {
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => this.#endIdle(), idleMs).unref();
    }
    return this.#first;
  }

  #start(work: ConstructorParameters<typeof Runner>[0]['work']): Runner {
    const { engine, dimensions, log, clock } = this.#options;
    return new Runner({ engine, dimensions, work, log, clock });
  }

  #endIdle(): void {
    const { queries, documents, log } = this.#options;
    if (this.state.state !== 'ready' || queries.isBusy || documents.isBusy) {
      this.#running();
      return;
    }
    const ending = [this.#first, this.#second];
    this.#first = undefined;
    this.#second = undefined;
    for (const runner of ending) {
      runner
        ?.close('there was nothing to embed; it starts again with the next text')
        .catch((error) => log.warn({ err: error }, 'could not end an idle embedder'));
    }
  }
}

function hasRoom(): boolean {
  return os.availableParallelism() > 1 && process.availableMemory() > ROOM_BYTES;
}
