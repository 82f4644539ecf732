import { type ProcessDied, Subprocess } from '../../platform/process/index.ts';
import type { ChildMessage, EngineOptions, Rows, RunMessage } from './protocol.ts';

/** The engine said that it failed; `operator` when it will until the operator does what the message says. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  readonly operator: boolean;

  constructor(message: string, operator: boolean) {
    super(message);
    this.operator = operator;
  }
}

/** The process that embeds; it does one run at a time. */
export class EmbedderProcess {
  readonly #child = new Subprocess<EngineOptions | RunMessage, ChildMessage>({
    entry: new URL('./child.ts', import.meta.url),
    flags: ['--max-semi-space-size=2'], // MiB; the default lets garbage grow to 170 MB more and is no faster
  });

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What the process died of; null while it lives. */
  get death(): ProcessDied | null {
    return this.#child.death;
  }

  /** Settles when the process is gone. */
  get exited(): Promise<void> {
    return this.#child.exited;
  }

  /** Loads the engine, before the first run. Rejects with EngineFailure or ProcessDied. */
  async load(engine: EngineOptions, limitMs: number): Promise<void> {
    await this.#ask(engine, limitMs);
  }

  /** The vectors of texts. Rejects with EngineFailure or ProcessDied; after `limitMs` the process is killed. */
  async run({ kind, texts }: RunMessage, limitMs: number): Promise<Rows> {
    return (await this.#ask({ kind, texts }, limitMs))!;
  }

  /** Ends the process, whatever it does; settles when it is gone. */
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
