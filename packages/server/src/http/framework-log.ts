import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Log } from '../base/log.ts';

/** Logs only those framework events that no other code reports. */
export class FrameworkLog extends LogController {
  readonly #log: Log;

  constructor(log: Log) {
    super({ disableRequestLogging: true });
    this.#log = log;
  }

  /** Logs that a response was interrupted after its headers were sent, unless the caller closed the connection. */
  override streamError(error: Error & { code?: string }, { id }: FastifyRequest, _: FastifyReply): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    this.#log.warn({ err: error, reqId: id }, 'a response was interrupted');
  }
}
