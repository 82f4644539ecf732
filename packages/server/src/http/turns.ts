import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../base/errors.ts';

/**
 * Maximum number of requests that wait for their turn. With more waiting requests, people would have to wait for
 * seconds.
 */
const MAX_WAITING = 128;
/** Time after which a turn ends by itself. A caller who reads slowly must not delay other callers. */
const TURN_MS = 1_000;
/** Longest pause between two turns. */
const MAX_PAUSE_MS = 20;
/** Seconds after which callers should retry. */
const RETRY_AFTER_S = 2;

/**
 * Lets requests of one kind through one at a time. After each request, there is a pause. The pause is as long as the
 * request took, but at most MAX_PAUSE_MS. During the pause, the thread serves requests of other kinds. Therefore,
 * requests of this kind take at most half of the thread's time, however many arrive, unless a request takes longer than
 * MAX_PAUSE_MS.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /**
   * Waits for a turn. @returns a function that ends the turn and can be called several times. After a second, the turn
   * ends by itself.
   * @throws ServiceError `rate_limited` if too many requests already wait
   */
  async take(): Promise<() => void> {
    if (this.#isTaken) {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new ServiceError('rate_limited', `Too many people are searching; try again in ${RETRY_AFTER_S} s`, {
          retryAfter: RETRY_AFTER_S,
        });
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#isTaken = true;
    const start = performance.now();
    let isOver = false;
    const end = () => {
      clearTimeout(limit);
      if (!isOver) this.#pass(Math.min(performance.now() - start, MAX_PAUSE_MS));
      isOver = true;
    };
    const limit = setTimeout(end, TURN_MS).unref();
    return end;
  }

  #pass(pauseMs: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else setTimeout(next, pauseMs);
  }
}

/** Makes each request of this scope wait for a turn. The turn ends when the response or the connection ends. */
export function registerTurns(app: FastifyInstance, turns: Turns): void {
  app.addHook('onRequest', async (_, reply) => {
    const end = await turns.take();
    reply.raw.once('close', end);
    if (reply.raw.destroyed) end();
  });
}
