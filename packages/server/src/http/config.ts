import { type Static, Type } from 'typebox';

export const HttpConfig = Type.Object({
  answerCacheBytes: Type.Integer({
    env: 'ZOETROPE_ANSWER_CACHE_BYTES',
    default: 16 * 1024 * 1024,
    minimum: 0,
    description: 'Memory for finished answers, in bytes, on each thread',
  }),
  mediaCacheBytes: Type.Integer({
    env: 'ZOETROPE_MEDIA_CACHE_BYTES',
    default: 16 * 1024 * 1024,
    minimum: 0,
    description: 'Memory for small images that were asked for lately, in bytes, on each thread',
  }),
  trustedProxies: Type.Integer({
    env: 'ZOETROPE_TRUST_PROXY',
    default: 0,
    minimum: 0,
    maximum: 100,
    description:
      'Number of proxies in front, each of which adds an address to X-Forwarded-For. Everything that is limited for each address depends on it: sign-ins, changes in the dashboard, reports, searches on the page, and images (ZOETROPE_RATE_MEDIA, ZOETROPE_RATE_MEDIA_BYTES). 0: the header is ignored',
  }),
  requestTimeoutMs: Type.Integer({
    env: 'ZOETROPE_REQUEST_TIMEOUT_MS',
    default: 30_000,
    minimum: 1_000,
    maximum: 3_600_000,
    description: 'Longest time in which a request must have arrived, head and body, in milliseconds',
  }),
  connectionsPerAddress: Type.Integer({
    env: 'ZOETROPE_CONNECTIONS_PER_ADDRESS',
    default: 200,
    minimum: 0,
    description:
      'Connections that one address may have open on each thread; 0: any number. Not counted where ZOETROPE_TRUST_PROXY is set',
  }),
  requestLog: Type.Union([Type.Literal('off'), Type.Literal('on'), Type.Literal('queries')], {
    env: 'ZOETROPE_REQUEST_LOG',
    default: 'on',
    description: 'Whether standard error gets a line of JSON for each request; queries: with what was searched for',
  }),
});
export type HttpConfig = Static<typeof HttpConfig>;
