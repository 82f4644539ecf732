import { LIMITS } from '@zoetrope/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Counted } from '../metrics.ts';
import { readQueryString } from './query-string.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The path of the operation that a request came to. Asking the framework takes ten times as long. */
    operation: string | null;
    /** What came of it. */
    outcome: Counted['outcome'] | null;
    /** Length of a body that went straight to the socket. */
    sentBytes: number | null;
  }
}

export interface RequestLog {
  log: Log;
  /** Whether lines say what was searched for. */
  withQueries: boolean;
}

export interface RequestNotes {
  /** Has a line written when a request has ended. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Resolves when each request that was noted has its line. */
  settled(): Promise<void>;
}

/**
 * One line for each request, which never says who asked beyond the client that is registered: no address, no header, no
 * key, and what for only if the operator wants that.
 */
export function createRequestNotes(requestLog: RequestLog | undefined): RequestNotes {
  if (requestLog === undefined) return { note() {}, settled: async () => {} };
  const { log, withQueries } = requestLog;
  const settled = Promise.withResolvers<void>();
  let open = 0;
  let isEnding = false;
  const write = (request: FastifyRequest, reply: FastifyReply) => {
    const line = describe(request, reply);
    log.info(withQueries ? { ...line, q: readQuery(request) } : line, 'request');
    open--;
    if (isEnding && open === 0) settled.resolve();
  };
  return {
    note(request, reply) {
      open++;
      // Unlike `finish`, this comes also when the caller has hung up; then, even after the server has closed.
      reply.raw.on('close', () => write(request, reply));
    },
    settled() {
      isEnding = true;
      if (open === 0) settled.resolve();
      return settled.promise;
    },
  };
}

function describe(request: FastifyRequest, reply: FastifyReply): object {
  const status = reply.raw.statusCode;
  const line = {
    id: request.id,
    route: request.operation ?? request.routeOptions.url ?? null,
    status,
    outcome: request.outcome ?? (status < 400 ? null : 'refused'),
    client: request.client?.id ?? null,
    ms: Math.round(reply.elapsedTime * 1_000) / 1_000,
    bytes: bodyBytes(request, reply),
  };
  return reply.raw.writableFinished ? line : { ...line, aborted: true };
}

function bodyBytes({ method, sentBytes }: FastifyRequest, reply: FastifyReply): number {
  if (method === 'HEAD') return 0;
  return sentBytes ?? Number(reply.getHeader('content-length') ?? 0);
}

/** What was searched for, in the words of whoever searched. */
function readQuery({ raw }: FastifyRequest): string | undefined {
  try {
    const { q } = readQueryString(raw.url!);
    return typeof q === 'string' ? q.slice(0, LIMITS.queryMaxLength) : undefined;
  } catch {
    return undefined; // It was refused for that, and the line says so.
  }
}
