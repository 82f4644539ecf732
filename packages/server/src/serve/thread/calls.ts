import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '@zoetrope/contract';
import { ServiceError } from '../../base/errors.ts';
import type { Answer, FromThread, Question, ToThread } from '../messages.ts';

/**
 * The questions of a thread to the main thread. The main thread does the work of media, embedding and the registry, so
 * that all threads share the results.
 */
export class Calls {
  readonly #port: Pick<MessagePort, 'postMessage'>;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  constructor(port: Pick<MessagePort, 'postMessage'>) {
    this.#port = port;
  }

  /** @throws ServiceError if the main thread's error is meant for callers; otherwise an Error with its code */
  ask<Result extends Answer>(question: Question): Promise<Result> {
    const call = ++this.#last;
    const settled = Promise.withResolvers<unknown>();
    this.#waiting.set(call, settled);
    this.#port.postMessage({ type: 'ask', call, question } satisfies FromThread);
    return settled.promise as Promise<Result>;
  }

  settle({ call, answer, error }: Extract<ToThread, { type: 'answer' }>): void {
    const settled = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (error === undefined) settled?.resolve(answer);
    else if (error.isForCallers) settled?.reject(new ServiceError(error.code as ErrorCode, error.message, error));
    else settled?.reject(Object.assign(new Error(error.message), { code: error.code }));
  }
}
