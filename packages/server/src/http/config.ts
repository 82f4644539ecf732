import { type Static, Type } from 'typebox';

export const HttpConfig = Type.Object({
  answerCacheBytes: Type.Integer({
    env: 'ZOETROPE_ANSWER_CACHE_BYTES',
    default: 16 * 1024 * 1024,
    minimum: 0,
    description: 'Memory for finished answers, in bytes, on each thread',
  }),
});
export type HttpConfig = Static<typeof HttpConfig>;
