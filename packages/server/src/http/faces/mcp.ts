import { createClient } from '@zoetrope/client';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { VERSION } from '../../base/version.ts';
import { applyLimit } from '../../limits/index.ts';
import type { AnswerRequest, Picture } from '../../mcp/index.ts';
import { READABLE } from '../answer.ts';
import type { HttpContext } from '../context.ts';
import type { Face } from './face.ts';

export const MCP_PATH = '/mcp';

/** Maximum size of a request. Requests contain not more than a query. */
const BODY_BYTES = 64 * 1024;
/** The headers by which the API identifies its callers. */
const IDENTITY = ['authorization', 'origin', 'user-agent', 'x-forwarded-for'] as const;

/**
 * The Model Context Protocol for assistants, over HTTP. Each tool sends requests inside the process to this service, on
 * behalf of its caller. These requests are admitted, limited and counted like all others.
 */
export const mcp: Face = {
  register({ app, context }) {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES }, (_, body, done) => done(null, body));
    let answer: Promise<AnswerRequest> | undefined;
    app.route({
      method: ['GET', 'POST'],
      url: MCP_PATH,
      handler: async (request, reply) => {
        const { headers, refusal } = applyLimit(await context.limit(request.client!, 'suggest'));
        request.budget = headers;
        if (refusal !== undefined) throw refusal;
        answer ??= import('../../mcp/index.ts').then(({ answerOverHttp }) => answerOverHttp());
        const parts = { ...toolsOf(app, request, context), version: VERSION };
        const response = await (await answer)(toWeb(request, context), parse(request.body), parts);
        const type = response.headers.get('content-type');
        if (type !== null) reply.header('content-type', type);
        const body = Buffer.from(await response.arrayBuffer());
        return reply.headers(READABLE).header('cache-control', 'no-store').code(response.status).send(body);
      },
    });
  },
  problem: ({ code, message }) => ({ jsonrpc: '2.0', id: null, error: { code: -32_000, message, data: { code } } }),
};

function toWeb({ method, raw }: FastifyRequest, { publicUrl }: HttpContext): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) if (typeof value === 'string') headers.set(name, value);
  return new Request(publicUrl + MCP_PATH, { method, headers });
}

/** @throws ServiceError `validation` */
function parse(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new ServiceError('validation', 'The body must be a JSON-RPC message');
  }
}

function toolsOf(app: FastifyInstance, { raw }: FastifyRequest, { publicUrl, mediaUrl }: HttpContext) {
  const identity = Object.fromEntries(
    IDENTITY.flatMap((name) => (name in raw.headers ? [[name, raw.headers[name]]] : [])),
  );
  const ask = (url: string, headers: Record<string, string> = {}) => {
    const remoteAddress = raw.socket.remoteAddress ?? '127.0.0.1';
    return app.inject({ url, headers: { ...headers, ...identity }, remoteAddress });
  };
  const fetch = async (address: string, { headers }: RequestInit) => {
    const {
      statusCode,
      headers: sent,
      rawPayload,
    } = await ask(address.slice(publicUrl.length), headers as Record<string, string>);
    const retryAfter = sent['retry-after'];
    return new Response(new Uint8Array(rawPayload), {
      status: statusCode,
      headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    });
  };
  const readPicture = async (url: string): Promise<Picture> => {
    const { statusCode, headers, rawPayload } = await ask(url.slice(mediaUrl.length));
    if (statusCode !== 200) throw new Error(`The picture cannot be loaded (HTTP ${statusCode})`);
    return { bytes: rawPayload, mimeType: String(headers['content-type']) };
  };
  const client = createClient({ url: publicUrl, retries: 0, fetch: fetch as typeof globalThis.fetch });
  return { client, readPicture };
}
