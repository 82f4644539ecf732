import { type Static, Type } from 'typebox';

const perMinute = (env: string, requests: number, what: string) =>
  Type.Integer({
    env,
    default: requests,
    minimum: 0,
    maximum: 100_000_000,
    description: `${what} per minute for each client, counting all its users together; 0: no limit`,
  });

export const LimitsConfig = Type.Object({
  enabled: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_RATE_LIMITS',
    default: 'on',
    description: 'on: the rates of requests are limited; off: nothing is limited, which is meant for benchmarks',
  }),
  search: perMinute('ZOETROPE_RATE_SEARCH', 6_000, 'Searches'),
  suggest: perMinute('ZOETROPE_RATE_SUGGEST', 12_000, 'Completions'),
  similar: perMinute('ZOETROPE_RATE_SIMILAR', 3_000, 'Lists of similar GIFs'),
  media: Type.Integer({
    env: 'ZOETROPE_RATE_MEDIA',
    default: 0,
    minimum: 0,
    maximum: 100_000_000,
    description: 'Originals, previews and MP4s per minute for each IP address; 0: no limit',
  }),
  mediaBytes: Type.Integer({
    env: 'ZOETROPE_RATE_MEDIA_BYTES',
    default: 0,
    minimum: 0,
    maximum: 1_000_000_000_000,
    description: 'Bytes of media per minute for each IP address; 0: no limit',
  }),
  pages: Type.Integer({
    env: 'ZOETROPE_RATE_PAGES',
    default: 240,
    minimum: 0,
    maximum: 100_000_000,
    description:
      "Searches per minute for each IP address on the service's own pages (/ and /try); after half of this number, searches match words only; 0: no limit",
  }),
  redisUrl: Type.String({
    env: 'ZOETROPE_REDIS_URL',
    default: '',
    pattern: '^$|^rediss?://',
    form: 'a redis:// or rediss:// URL, or empty',
    description:
      'Redis or Valkey server through which several processes share their limits; empty: each process counts its own requests',
  }),
  developmentPercent: Type.Integer({
    former: 'ZOETROPE_RATE_DEVELOPMENT_PERCENT',
    default: 20,
    minimum: 1,
    maximum: 100,
    description: 'Limits of the development client, which all developers share, as a percentage of the limits above',
  }),
});
export type LimitsConfig = Static<typeof LimitsConfig>;
