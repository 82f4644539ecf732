import { OperatorError, ServiceError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { ProcessDied, type Program } from '../../platform/process/index.ts';
import { LIMIT_MS, ModelProcess, ProcessFailed } from './process.ts';

/**
 * Maximum number of attempts for a request. A single crash can be an accident, for example because another process used
 * up the memory.
 */
const ATTEMPTS = 2;

export interface ModelOptions {
  readonly log: Log;
  /** The model's task, for messages, such as `describes pictures`. */
  readonly does: string;
  /** Advice for operators if the model cannot be loaded. */
  readonly advice: string;
  /** Returns the program of the process. Throws OperatorError if a file is missing. */
  readonly program: () => Program;
  /** Time limit for one request. The default is `LIMIT_MS`. */
  readonly limitMs?: number | undefined;
  /** The process is replaced when it uses more memory than this. */
  readonly maxRssBytes: number;
}

/** The error if the model failed for one request but works for others. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/**
 * A model in a separate process. The process starts with the first request, and is replaced if it crashes, hangs or
 * grows too large. Requests are handled one at a time, in order.
 */
export class Model<Request extends object, Result> {
  readonly #options: ModelOptions;
  #process: ModelProcess<Request, Result> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: ModelOptions) {
    this.#options = options;
  }

  /** Returns the running process, for tests and operators. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * Sends a request to the model. Throws ModelError if the request failed, or crashed or timed out twice. Throws
   * OperatorError if the model is missing or cannot be loaded. Throws ServiceError `upstream_unavailable` after
   * `close`.
   */
  ask(request: Request): Promise<Result> {
    const turn = this.#last.then(() => this.#attempt(request, ATTEMPTS));
    this.#last = turn.catch(() => {}); // a failure does not stop the queue
    return turn;
  }

  /** Ends the process. Pending requests are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#process?.end();
  }

  async #attempt(request: Request, attempts: number): Promise<Result> {
    const { log, does, limitMs = LIMIT_MS, maxRssBytes } = this.#options;
    try {
      const child = await this.#ready();
      const { result, rssBytes } = await child.ask(request, limitMs);
      if (rssBytes > maxRssBytes) await this.#end();
      return result;
    } catch (error) {
      if (this.#closed) throw closing();
      if (error instanceof ProcessFailed) throw new ModelError(error.message);
      if (!(error instanceof ProcessDied)) throw error;
      this.#process = null;
      log.warn({ err: error }, `the process that ${does} died`);
      if (attempts > 1) return this.#attempt(request, attempts - 1);
      throw new ModelError(error.message, { cause: error });
    }
  }

  async #ready(): Promise<ModelProcess<Request, Result>> {
    if (this.#closed) throw closing();
    const { does, advice, program } = this.#options;
    this.#process ??= new ModelProcess(program());
    const child = this.#process;
    try {
      await child.ready();
    } catch (error) {
      if (!(error instanceof ProcessFailed)) throw error;
      await this.#end();
      throw new OperatorError(`The model that ${does} cannot be loaded: ${error.message}. ${advice}`);
    }
    return child;
  }

  async #end(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    await child?.end();
  }
}

function closing(): ServiceError {
  return new ServiceError('upstream_unavailable', 'the service is stopping', { retryAfter: 5 });
}
