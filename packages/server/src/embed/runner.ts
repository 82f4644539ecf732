import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { pause } from '../base/repeat.ts';
import type { Batch } from './batch.ts';
import { EmbedderProcess, EngineFailure } from './child/process.ts';
import type { EngineOptions, Rows } from './child/protocol.ts';

/**
 * Maximum time for loading. Loading a large model from a slow disk takes seconds. A process that takes longer than this
 * limit has hung.
 */
const LOAD_MS = 60_000;
/**
 * After this number of failures in a row, the breaker opens. Then only occasional probes are sent, until a probe
 * succeeds.
 */
const BREAKER_FAILURES = 3;
const PROBE_MS = 5_000;
const PROBE: Pick<Batch, 'kind' | 'texts' | 'limitMs'> = { kind: 'query', texts: ['hello'], limitMs: 5_000 };
/** Delay before restarting a dead process. The delay doubles with each restart until a run succeeds. */
const RESTART_MS = { first: 500, longest: 30_000 };
/**
 * After this number of failures in a row, pending calls that embed documents are rejected. So many failures take about
 * a minute or longer.
 */
const GIVE_UP_FAILURES = 12;

export interface EmbedderState {
  /**
   * `starting`: the engine is not loaded yet. `ready`: runs succeed. `degraded`: the last run failed, but the next run
   * could succeed. `down`: queries are rejected immediately until a probe succeeds.
   */
  readonly state: 'starting' | 'ready' | 'degraded' | 'down';
  /** Milliseconds since the Unix epoch. */
  readonly since: number;
  /** The latest error, for operators. Null if there is no error. */
  readonly why: string | null;
}

export interface Work {
  next(): Batch | undefined;
  /** Called when no text can be embedded now. `final` is true if longer waiting would not help. */
  down(error: Error, final: boolean): void;
}

export interface RunnerOptions {
  readonly engine: EngineOptions;
  readonly dimensions: number;
  readonly work: Work;
  readonly log: Log;
  readonly clock: Clock;
}

/** Keeps an embedding process running, and sends it one batch after another. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #closing = new AbortController();
  readonly #life: Promise<void>;
  #process = new EmbedderProcess();
  #state: EmbedderState;
  #failures = 0;
  #restartMs = RESTART_MS.first;
  #wake: () => void = () => {};

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#state = { state: 'starting', since: options.clock.now(), why: null };
    this.#life = this.#live().catch((error) => {
      options.log.error({ err: error }, 'the embedder has stopped');
      this.#become('down', error.message);
      options.work.down(error, true);
    });
  }

  get state(): EmbedderState {
    return this.#state;
  }

  /** Returns the id of the embedding process, for tests and operators. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Wakes the runner. Call this when there is work. */
  wake(): void {
    this.#wake();
  }

  /** Ends the process. @param why the reason, for waiting calls and for the log */
  async close(why = 'the service is stopping'): Promise<void> {
    this.#closing.abort(new Error(why));
    await this.#process.end();
    await this.#life;
  }

  async #live(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        if (this.#process.death !== null) this.#process = new EmbedderProcess();
        await this.#process.load(this.#options.engine, LOAD_MS);
        await this.#serve();
      } catch (error) {
        this.#fail(error as Error);
      }
      await this.#process.end();
      await pause(this.#restartMs, this.#closing.signal);
      this.#restartMs = Math.min(this.#restartMs * 2, RESTART_MS.longest);
    }
    this.#stop();
  }

  /** Rejects all waiting calls and all later calls. */
  #stop(): void {
    const stopping: Error = this.#closing.signal.reason;
    this.#become('down', stopping.message);
    this.#wake = () => this.#options.work.down(stopping, true);
    this.#wake();
  }

  /** Runs until the process dies, then throws the cause. */
  async #serve(): Promise<never> {
    let trusted = await this.#probe();
    for (;;) {
      if (!trusted) {
        await Promise.race([pause(PROBE_MS, this.#closing.signal), this.#process.exited]);
        trusted = await this.#probe();
      } else {
        const batch = this.#options.work.next() ?? (await this.#idle());
        if (batch !== undefined) trusted = await this.#run(batch);
      }
    }
  }

  /** Tests a process that is new or has failed often, before calls use the process. */
  #probe(): Promise<boolean> {
    return this.#attempt(async () => {
      await this.#process.run(PROBE, PROBE.limitMs);
    });
  }

  /** @returns whether the next batch can follow immediately */
  #run(batch: Batch): Promise<boolean> {
    return this.#attempt(async () => {
      try {
        batch.done(this.#unpack(await this.#process.run(batch, batch.limitMs)));
      } catch (error) {
        batch.failed(error as Error);
        throw error;
      }
      this.#restartMs = RESTART_MS.first;
    });
  }

  /** Counts failures of the engine. Throws if the process has died. */
  async #attempt(act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      this.#failures = 0;
      this.#become('ready', null);
      return true;
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      this.#fail(error);
      return this.#state.state === 'degraded';
    }
  }

  #fail(error: Error): void {
    if (this.#closing.signal.aborted) return;
    this.#failures++;
    this.#options.log.warn({ err: error, failures: this.#failures }, 'the embedder failed');
    const operator = error instanceof EngineFailure && error.operator;
    const wasUp = this.#state.state === 'ready' || this.#state.state === 'degraded';
    if (wasUp && error instanceof EngineFailure && !operator && this.#failures < BREAKER_FAILURES) {
      this.#become('degraded', error.message);
    } else {
      this.#become('down', error.message);
      this.#options.work.down(error, operator || this.#failures >= GIVE_UP_FAILURES);
    }
  }

  #become(state: EmbedderState['state'], why: string | null): void {
    const since = state === this.#state.state ? this.#state.since : this.#options.clock.now();
    if (state !== this.#state.state) this.#options.log.info({ state, why }, 'the state of the embedder has changed');
    this.#state = { state, since, why };
  }

  /** Waits for work. Throws if the process has died in the meantime. */
  async #idle(): Promise<undefined> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([woken, this.#process.exited]);
    if (this.#process.death !== null) throw this.#process.death;
  }

  #unpack({ values, present }: Rows): (Float32Array | null)[] {
    const { dimensions } = this.#options;
    let row = 0;
    // The vectors are copied, because otherwise a cached vector would keep its whole batch in memory.
    return present.map((has) => (has ? values.slice(dimensions * row++, dimensions * row) : null));
  }
}
