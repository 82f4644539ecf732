import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Log } from '../base/log.ts';

/** Of what the framework would say of requests, only what nobody else knows. */
export class FrameworkLog extends LogController {
  readonly #log: Log;

  constructor(log: Log) {
    super({ disableRequestLogging: true });
    this.#log = log;
  }

  /** A body broke off after its head was sent. That the caller hung up is no fault of anybody. */
  override streamError(error: Error & { code?: string }, { id }: FastifyRequest, _: FastifyReply): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    this.#log.warn({ err: error, reqId: id }, 'an answer broke off');
  }
}
