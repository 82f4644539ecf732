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
      'Proxies in front, each of which adds to X-Forwarded-For, for ZOETROPE_RATE_MEDIA and its sister; 0: none is believed',
  }),
  requestLog: Type.Union([Type.Literal('off'), Type.Literal('on'), Type.Literal('queries')], {
    env: 'ZOETROPE_REQUEST_LOG',
    default: 'on',
    description: 'Whether standard error gets a line of JSON for each request; queries: with what was searched for',
  }),
});
export type HttpConfig = Static<typeof HttpConfig>;
