import { OperatorError, ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import { modelFile } from '../platform/models/index.ts';
import { FRAME_BYTES } from './looks/frame.ts';
import { LooksProcess, ProcessDied, ProcessFailed } from './looks/process.ts';

/** Three frames take a twentieth of a second. */
const LIMIT_MS = 10_000;
/** One death can be bad luck (another process took the memory). */
const ATTEMPTS = 2;

/** Which frames of a GIF to describe it by, as places in the animation, see `Media.frames`. */
export const LOOKS_PLACES: readonly number[] = [0, 1 / 3, 2 / 3];

/** One GIF cannot be described; others can. */
export class LooksError extends Error {
  override readonly name = 'LooksError';
}

export interface LooksOptions {
  readonly log: Log;
  /** How long one GIF may take; 10,000 ms if left out. */
  readonly limitMs?: number;
}

/** Tells what GIFs look like, in a process of its own at low priority, which starts with the first GIF. */
export interface Looks {
  /**
   * What a GIF looks like: 1,344 numbers, the same for its mirror image, to be given to `fitLooks` and `projectLooks` of
   * the search engine. `frames` is one or more pictures of 224 x 224 x 3 bytes, one after the other, as `Media.frames`
   * gives them at LOOKS_PLACES. GIFs are described one at a time, in order. Throws RangeError for frames of another
   * length; LooksError when the process died of them twice or took too long twice; OperatorError when the network
   * is missing or cannot be loaded; ServiceError `upstream_unavailable` after `close`.
   */
  describe(frames: Uint8Array): Promise<Float32Array>;
  /** Ends the process; what is not described yet is rejected. */
  close(): Promise<void>;
  /** The process while it lives, for tests and for an operator's eyes. */
  readonly pid: number | undefined;
}

export function createLooks(options: LooksOptions): Looks {
  return new LooksRoom(options);
}

class LooksRoom implements Looks {
  readonly #log: Log;
  readonly #limitMs: number;
  #process: LooksProcess | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor({ log, limitMs = LIMIT_MS }: LooksOptions) {
    this.#log = log;
    this.#limitMs = limitMs;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async describe(frames: Uint8Array): Promise<Float32Array> {
    if (frames.length === 0 || frames.length % FRAME_BYTES !== 0) {
      throw new RangeError(`frames is ${frames.length} bytes; a multiple of ${FRAME_BYTES} is needed`);
    }
    const turn = this.#last.then(() => this.#attempt(frames, ATTEMPTS));
    this.#last = turn.catch(() => {}); // the next one's turn comes all the same
    return turn;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#process?.end();
  }

  async #attempt(frames: Uint8Array, attempts: number): Promise<Float32Array> {
    try {
      const child = await this.#ready();
      return await child.describe({ frames }, this.#limitMs);
    } catch (error) {
      if (this.#closed) throw closing();
      if (error instanceof ProcessFailed) throw new LooksError(`its looks cannot be told: ${error.message}`);
      if (!(error instanceof ProcessDied)) throw error;
      this.#process = null;
      this.#log.warn({ err: error }, 'the process that looks at GIFs died');
      if (attempts > 1) return this.#attempt(frames, attempts - 1);
      throw new LooksError(`its looks cannot be told: ${error.message}`, { cause: error });
    }
  }

  async #ready(): Promise<LooksProcess> {
    if (this.#closed) throw closing();
    const model = modelFile('looks.onnx');
    this.#process ??= new LooksProcess(model);
    const child = this.#process;
    try {
      await child.ready();
    } catch (error) {
      if (!(error instanceof ProcessFailed)) throw error;
      this.#process = null;
      await child.end();
      throw new OperatorError(
        `The file ${model} cannot be loaded: ${error.message}. Delete its folder and start by \`npm start\``,
      );
    }
    return child;
  }
}

function closing(): ServiceError {
  return new ServiceError('upstream_unavailable', 'the service is stopping', { retryAfter: 5 });
}
