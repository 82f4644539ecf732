import { type Static, Type } from 'typebox';

export const HttpConfig = Type.Object({
  answerCacheBytes: Type.Integer({
    former: 'ZOETROPE_ANSWER_CACHE_BYTES',
    default: 16 * 1024 * 1024,
    minimum: 0,
    description: 'Size of the response cache, in bytes per thread',
  }),
  mediaCacheBytes: Type.Integer({
    former: 'ZOETROPE_MEDIA_CACHE_BYTES',
    default: 16 * 1024 * 1024,
    minimum: 0,
    description: 'Size of the cache for small images, in bytes per thread',
  }),
  trustedProxies: Type.Integer({
    env: 'ZOETROPE_TRUST_PROXY',
    default: 0,
    minimum: 0,
    maximum: 100,
    description:
      'Number of proxies in front of the service. Each proxy adds an IP address to X-Forwarded-For. All limits per IP address depend on this number: sign-ins, changes in the dashboard, reports, searches on the page, and images (ZOETROPE_RATES). 0: the header is ignored',
  }),
  requestTimeoutMs: Type.Integer({
    former: 'ZOETROPE_REQUEST_TIMEOUT_MS',
    default: 30_000,
    minimum: 1_000,
    maximum: 3_600_000,
    description:
      'Time limit for receiving all headers and the body of a request, in milliseconds. If a caller reads nothing of a response for twice this time, the service disconnects it',
  }),
  connectionsPerAddress: Type.Integer({
    former: 'ZOETROPE_CONNECTIONS_PER_ADDRESS',
    default: 200,
    minimum: 0,
    description:
      'Maximum number of open connections per IP address on each thread; 0: no limit. Ignored if ZOETROPE_TRUST_PROXY is set',
  }),
  faces: Type.String({
    env: 'ZOETROPE_FACES',
    default: '',
    maxLength: 200,
    description:
      'APIs of other services under which apps can use this service, separated by commas: gifbox, gifverse, tenor, giphy, klipy, mcp for assistants, and relay for a read-only Nostr relay (with ZOETROPE_NOSTR_KEY). Each has a path of its own (/tenor) and admits the callers of the API; with :public after its name it admits everybody, with the limit pages of ZOETROPE_RATES. The relay has no path and always admits everybody; mcp cannot be public. Empty: none',
  }),
  nostrKey: Type.String({
    env: 'ZOETROPE_NOSTR_KEY',
    default: '',
    pattern: '^$|^nsec1[02-9ac-hj-np-z]{58}$|^[0-9a-f]{64}$',
    form: 'an nsec or 64 hexadecimal digits, or empty',
    description:
      'Secret key of the service on Nostr. It signs the events of the relay, the published catalogue, and notices as direct messages (NIP-17) to owners who want them, which go to the relays in ZOETROPE_SIGNER_RELAYS and ZOETROPE_RELAYS. Empty: no relay, no published catalogue and no messages',
  }),
  categories: Type.String({
    env: 'ZOETROPE_CATEGORIES',
    default: '',
    maxLength: 2_000,
    description:
      'Search terms of the categories that apps and faces show, separated by commas. The page suggests the first 14. Empty: terms that people often need in a conversation',
  }),
  robots: Type.Union([Type.Literal('noindex'), Type.Literal('index')], {
    env: 'ZOETROPE_ROBOTS',
    default: 'noindex',
    description:
      'index: search engines can list the pages of GIFs; noindex: the pages ask search engines not to list them. Services that show a preview of a link are not affected',
  }),
  requestLog: Type.Union([Type.Literal('auto'), Type.Literal('off'), Type.Literal('on'), Type.Literal('queries')], {
    env: 'ZOETROPE_REQUEST_LOG',
    default: 'auto',
    description:
      'on: log each request as a line on standard error, except health checks that pass; queries: also log what was searched for; auto: on, unless standard error is a terminal',
  }),
});
export type HttpConfig = Static<typeof HttpConfig>;
