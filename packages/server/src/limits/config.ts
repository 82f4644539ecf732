import { type Static, Type } from 'typebox';

/** Declares a number of units per minute within ZOETROPE_RATES. */
const rate = (former: string, usual: number, description: string) =>
  Type.Integer({
    within: 'rates',
    former,
    default: usual,
    minimum: 0,
    maximum: 1_000_000_000_000,
    description,
  });

export const LimitsConfig = Type.Object({
  rates: Type.Optional(
    Type.String({
      env: 'ZOETROPE_RATES',
      default: '',
      word: { off: { enabled: 'off' } },
      description:
        'Limits per minute; 0: no limit. The first three are for each client, counting all its users together, and the others for each IP address. off instead of pairs: nothing is limited; use it only for benchmarks',
    }),
  ),
  enabled: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    within: 'rates',
    former: 'ZOETROPE_RATE_LIMITS',
    default: 'on',
    description: 'Whether the rates of requests are limited',
  }),
  search: rate('ZOETROPE_RATE_SEARCH', 6_000, 'searches'),
  suggest: rate('ZOETROPE_RATE_SUGGEST', 12_000, 'completions'),
  similar: rate('ZOETROPE_RATE_SIMILAR', 3_000, 'lists of similar GIFs'),
  media: rate('ZOETROPE_RATE_MEDIA', 0, 'originals, previews and MP4s'),
  mediaBytes: rate('ZOETROPE_RATE_MEDIA_BYTES', 0, 'bytes of media'),
  pages: rate(
    'ZOETROPE_RATE_PAGES',
    240,
    "searches on the service's own pages (/ and /try); after half of this number, searches match words only",
  ),
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
