import { execNice, type Program, Subprocess } from '../../platform/process/index.ts';
import type { Reply } from './protocol.ts';

/**
 * Time limit for loading and for each request. Neither takes more than two seconds of CPU time, but on a busy core,
 * Linux gives a process of this priority only a seventieth of the time. After ten minutes, the process must have hung.
 */
export const LIMIT_MS = 600_000;

/** The error if the process cannot work and a new process would fail in the same way. */
export class ProcessFailed extends Error {
  override readonly name = 'ProcessFailed';
}

/** A result, and the amount of memory that the process now uses. */
interface Answer<Result> {
  readonly result: Result;
  readonly rssBytes: number;
}

/** A process with a model, at the lowest priority. It handles one request at a time. */
export class ModelProcess<Request extends object, Result> {
  readonly #child: Subprocess<Request, Reply<Result>>;
  /** The reason why the process cannot handle requests, or null. The next request fails with this reason. */
  readonly #loaded: Promise<Error | null>;

  constructor(program: Program) {
    // The heap can be small, because models use memory outside of the heap.
    this.#child = new Subprocess({ ...program, flags: ['--max-old-space-size=256'], wrap: atLowestPriority });
    this.#loaded = this.#child.hear(LIMIT_MS).then(
      (reply) => (reply.type === 'broken' ? new ProcessFailed(reply.message) : null),
      (error: Error) => error,
    );
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when the process is ready for its first request. Rejects with ProcessFailed or ProcessDied. */
  async ready(): Promise<void> {
    const failure = await this.#loaded;
    if (failure !== null) throw failure;
  }

  /**
   * Sends a request. Rejects with ProcessFailed or ProcessDied. The process is killed if the request takes longer than
   * `limitMs`.
   */
  async ask(request: Request, limitMs: number): Promise<Answer<Result>> {
    const reply = await this.#child.ask(request, limitMs);
    if (reply.type === 'done') return reply;
    throw new ProcessFailed(reply.type === 'loaded' ? 'it was loaded twice' : reply.message);
  }

  /** Kills the process. Resolves when the process has exited. */
  end(): Promise<void> {
    return this.#child.end();
  }
}

/** On Windows, the process lowers its priority itself (see child.ts). */
function atLowestPriority(command: readonly string[]): readonly string[] {
  return process.platform === 'win32' ? command : ['sh', '-c', execNice(19), 'sh', ...command];
}
