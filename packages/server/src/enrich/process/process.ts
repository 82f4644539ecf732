import { type Program, Subprocess } from '../../platform/process/index.ts';
import type { Reply } from './protocol.ts';

/** Loading takes a second or two; what takes a minute never ends. */
const START_MS = 60_000;

/** The process cannot do its work, and another would say the same. */
export class ProcessFailed extends Error {
  override readonly name = 'ProcessFailed';
}

/** What a process answered, and the memory it has taken by now. */
interface Answered<Result> {
  readonly result: Result;
  readonly rssBytes: number;
}

/** A process with a model in it; it does one request at a time. */
export class ModelProcess<Request extends object, Result> {
  readonly #child: Subprocess<Request, Reply<Result>>;
  /** Why it cannot take requests, if it cannot: whoever has a request is told. */
  readonly #loaded: Promise<Error | null>;

  constructor(program: Program) {
    // What its models take lies outside of this heap.
    this.#child = new Subprocess({ ...program, flags: ['--max-old-space-size=256'] });
    this.#loaded = this.#child.hear(START_MS).then(
      (reply) => (reply.type === 'broken' ? new ProcessFailed(reply.message) : null),
      (error: Error) => error,
    );
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Settles when the process can take its first request. Rejects with ProcessFailed or ProcessDied. */
  async ready(): Promise<void> {
    const failure = await this.#loaded;
    if (failure !== null) throw failure;
  }

  /** Asks it. Rejects with ProcessFailed or ProcessDied; after `limitMs` the process is killed. */
  async ask(request: Request, limitMs: number): Promise<Answered<Result>> {
    const reply = await this.#child.ask(request, limitMs);
    if (reply.type === 'done') return reply;
    throw new ProcessFailed(reply.type === 'loaded' ? 'it was loaded twice' : reply.message);
  }

  /** Ends the process, whatever it does; settles when it is gone. */
  end(): Promise<void> {
    return this.#child.end();
  }
}
