import { type Static, Type } from 'typebox';

const perMinute = (env: string, requests: number, what: string) =>
  Type.Integer({
    env,
    default: requests,
    minimum: 0,
    maximum: 100_000_000,
    description: `${what} that one client may make a minute, all its users together; 0: no limit`,
  });

export const LimitsConfig = Type.Object({
  enabled: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_RATE_LIMITS',
    default: 'on',
    description: 'Whether requests are limited; off for benchmarks',
  }),
  search: perMinute('ZOETROPE_RATE_SEARCH', 6_000, 'Searches'),
  suggest: perMinute('ZOETROPE_RATE_SUGGEST', 12_000, 'Completions'),
  similar: perMinute('ZOETROPE_RATE_SIMILAR', 3_000, 'Lists of similar GIFs'),
  media: Type.Integer({
    env: 'ZOETROPE_RATE_MEDIA',
    default: 0,
    minimum: 0,
    maximum: 100_000_000,
    description: 'Originals, previews and MP4s that one address may ask for a minute; 0: no limit',
  }),
  mediaBytes: Type.Integer({
    env: 'ZOETROPE_RATE_MEDIA_BYTES',
    default: 0,
    minimum: 0,
    maximum: 1_000_000_000_000,
    description: 'Bytes of these that one address is sent a minute; 0: no limit',
  }),
  pages: Type.Integer({
    env: 'ZOETROPE_RATE_PAGES',
    default: 240,
    minimum: 0,
    maximum: 100_000_000,
    description:
      'Searches that one address may make a minute on the pages of this service (/ and /try), the later half by words alone; 0: no limit',
  }),
  redisUrl: Type.String({
    env: 'ZOETROPE_REDIS_URL',
    default: '',
    pattern: '^$|^rediss?://',
    form: 'a redis:// or rediss:// address, or empty',
    description: 'Redis or Valkey server through which several processes count together; empty: each by itself',
  }),
  developmentPercent: Type.Integer({
    env: 'ZOETROPE_RATE_DEVELOPMENT_PERCENT',
    default: 20,
    minimum: 1,
    maximum: 100,
    description: 'What of these the development client has, which everybody shares, in percent',
  }),
});
export type LimitsConfig = Static<typeof LimitsConfig>;
