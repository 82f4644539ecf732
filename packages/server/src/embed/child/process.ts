import { type ProcessDied, Subprocess } from '../../platform/process/index.ts';
import type { ChildMessage, EngineOptions, Rows, RunMessage } from './protocol.ts';

/**
 * The error if the engine failed. `operator` is true if the engine will fail again and again until the operator follows
 * the advice in the message.
 */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  readonly operator: boolean;

  constructor(message: string, operator: boolean) {
    super(message);
    this.operator = operator;
  }
}

/** The embedding process. The process handles one run at a time. */
export class EmbedderProcess {
  readonly #child = new Subprocess<EngineOptions | RunMessage, ChildMessage>({
    entry: new URL('./child.ts', import.meta.url),
    flags: ['--max-semi-space-size=2'], // in MiB. With the default, the process needs 170 MB more for garbage, but is not faster.
    // Two arenas, and large blocks on their own: memory for loading the model is free again afterwards (25 MB).
    env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(64 * 1024) },
  });

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Returns how the process died, or null while it is running. */
  get death(): ProcessDied | null {
    return this.#child.death;
  }

  /** Settles when the process has exited. */
  get exited(): Promise<void> {
    return this.#child.exited;
  }

  /** Loads the engine, before the first run. Rejects with EngineFailure or ProcessDied. */
  async load(engine: EngineOptions, limitMs: number): Promise<void> {
    await this.#ask(engine, limitMs);
  }

  /**
   * Embeds texts. Rejects with EngineFailure or ProcessDied. The process is killed if the run takes longer than
   * `limitMs`.
   */
  async run({ kind, texts }: RunMessage, limitMs: number): Promise<Rows> {
    return (await this.#ask({ kind, texts }, limitMs))!;
  }

  /** Kills the process. Resolves when the process has exited. */
  end(): Promise<void> {
    return this.#child.end();
  }

  async #ask(message: EngineOptions | RunMessage, limitMs: number): Promise<Rows | null> {
    const answer = await this.#child.ask(message, limitMs);
    if (answer.type === 'loaded') return null;
    if (answer.type === 'done') return answer.rows;
    throw new EngineFailure(answer.message, answer.operator);
  }
}
