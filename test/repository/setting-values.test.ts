import { expect, it } from 'vitest';
import { fields, loadConfig } from '../../packages/server/src/config.ts';

const KEY = 'a'.repeat(64);
const NPUB = `npub1${'q'.repeat(58)}`;

/** For each setting with a pattern: values at the edge of what it allows, and values that it must refuse. */
const PATTERNS: Readonly<Record<string, { allowed: string[]; refused: string[] }>> = {
  ZOETROPE_EDGE_PURGE_URL: { allowed: ['http://edge'], refused: ['edge', 'ftp://edge'] },
  ZOETROPE_PUBLIC_URL: { allowed: ['https://gifs.example/a'], refused: ['gifs.example', 'ftp://gifs.example'] },
  ZOETROPE_MEDIA_URL: { allowed: ['http://media.example'], refused: ['media.example', '//media.example'] },
  ZOETROPE_OPERATOR_URL: { allowed: ['https://operator.example'], refused: ['me', 'mailto:me@operator.example'] },
  ZOETROPE_NOSTR_KEY: {
    allowed: [KEY, `nsec1${'q'.repeat(58)}`],
    refused: [NPUB, `${KEY}a`, `nsec1${'b'.repeat(58)}`],
  },
  ZOETROPE_OPENSEARCH_URL: {
    allowed: ['http://a:9200', 'https://a/, https://b:9200'],
    refused: ['a:9200', 'http://user:pass@a', 'http://a/path', 'http://a?x', 'http://a http://b'],
  },
  ZOETROPE_DATABASE_URL: { allowed: ['postgres://a/b', 'postgresql://a/b'], refused: ['mysql://a/b', 'a/b'] },
  ZOETROPE_ADMINS: {
    allowed: [NPUB, `${KEY} , ${NPUB}`],
    refused: ['alice', `${KEY} ${KEY}`, `nsec1${'q'.repeat(58)}`],
  },
  ZOETROPE_MEMBERS: {
    allowed: [NPUB, `${KEY} , ${NPUB}`],
    refused: ['bob', `${KEY} ${KEY}`, `nsec1${'q'.repeat(58)}`],
  },
  ZOETROPE_SIGNER_RELAYS: { allowed: ['wss://a, wss://b'], refused: ['ws://a', 'a', 'wss://a wss://b'] },
  ZOETROPE_WALLET: {
    allowed: ['demo', 'lnbits+https://:key@a', 'phoenixd+http://key@a:9740'],
    refused: ['https://:key@a', 'lnbits+https://a', 'phoenixd+ftp://:key@a', 'demo2'],
  },
  ZOETROPE_REDIS_URL: { allowed: ['redis://a', 'rediss://a'], refused: ['a:6379', 'http://a'] },
  ZOETROPE_BLOSSOM_SERVERS: { allowed: ['https://a, http://b/'], refused: ['a', 'https://a https://b', 'wss://a'] },
  ZOETROPE_S3_ENDPOINT: { allowed: ['https://s3.example:9000/'], refused: ['s3.example', 'https://s3.example/bucket'] },
  ZOETROPE_S3_BUCKET: { allowed: ['gif', 'my.gifs-2'], refused: ['gi', 'my/gifs', '-gifs', 'g'.repeat(64)] },
  ZOETROPE_RELAYS: { allowed: ['wss://a, ws://b'], refused: ['a', 'https://a', 'wss://a wss://b'] },
  ZOETROPE_RELAY_PUBKEYS: {
    allowed: [NPUB, `${KEY}, ${NPUB},`],
    refused: ['alice', `${KEY} ${KEY}`, `npub1${'b'.repeat(58)}`],
  },
  ZOETROPE_EMBEDDER_URL: { allowed: ['http://127.0.0.1:8000/v1'], refused: ['127.0.0.1:8000', 'file:///v1'] },
  ZOETROPE_MODELS_URL: { allowed: ['https://mirror.example'], refused: ['mirror.example', ''] },
};

/** For each value within a setting: values at the edge of what it allows, and values that it must refuse. */
const VALUES: Readonly<Record<string, { allowed: string[]; refused: string[] }>> = {
  'ZOETROPE_OPENSEARCH_OPTIONS: user': { allowed: ['', 'admin'], refused: ['a:b'] },
  'ZOETROPE_OPENSEARCH_OPTIONS: ca': { allowed: ['', '/any file:1'], refused: [] },
  'ZOETROPE_OPENSEARCH_OPTIONS: prefix': {
    allowed: ['0', `a${'_'.repeat(63)}`],
    refused: ['', 'Gifs', '_gifs', 'a-b', 'a'.repeat(65)],
  },
  'ZOETROPE_OPENSEARCH_OPTIONS: shards': { allowed: ['1', '1024'], refused: ['0', '1025', '1.5', ''] },
  'ZOETROPE_OPENSEARCH_OPTIONS: replicas': { allowed: ['0', '10'], refused: ['-1', '11', 'one'] },
  'ZOETROPE_OPENSEARCH_OPTIONS: shadow': {
    allowed: ['0', '1', '.5', '0.25'],
    refused: ['', '2', '1.5', '-1', '-0.5', 'half', '0.', '50%'],
  },
  'ZOETROPE_MEMBER_LIMITS: memberFiles': { allowed: ['1', '10000'], refused: ['0', '10001'] },
  'ZOETROPE_MEMBER_LIMITS: memberBytes': { allowed: ['1000000', '100000000000'], refused: ['999999', '100000000001'] },
  ...Object.fromEntries(
    ['search', 'suggest', 'similar', 'media', 'mediaBytes', 'pages'].map((name) => [
      `ZOETROPE_RATES: ${name}`,
      { allowed: ['0', '1000000000000'], refused: ['-1', '1000000000001', 'off', ''] },
    ]),
  ),
  'ZOETROPE_LINKED: keepLinked': { allowed: ['on', 'off'], refused: ['yes', ''] },
  'ZOETROPE_LINKED: linkedUrls': { allowed: ['origin', 'own'], refused: ['both'] },
  'ZOETROPE_LINKED: linkCheckHours': { allowed: ['0', '8760'], refused: ['-1', '8761'] },
  'ZOETROPE_S3_OPTIONS: region': { allowed: ['a', 'a'.repeat(100)], refused: ['', 'a'.repeat(101)] },
  'ZOETROPE_S3_OPTIONS: prefix': {
    allowed: ['', 'gifs', 'a/b.c/', '-a'],
    refused: ['/gifs', '../gifs', 'a//b', 'a/../b', 'a b'],
  },
  'ZOETROPE_S3_OPTIONS: pathStyle': { allowed: ['true', 'false'], refused: ['yes', ''] },
  'ZOETROPE_RELAY_RULES: noteDays': { allowed: ['0', '3650'], refused: ['-1', '3651'] },
  'ZOETROPE_RELAY_RULES: minAuthors': { allowed: ['0', '1000'], refused: ['-1', '1001'] },
  'ZOETROPE_RELAY_RULES: marks': { allowed: ['0', '1000'], refused: ['-1', '1001'] },
  'ZOETROPE_RELAY_RULES: clips': { allowed: ['on', 'off'], refused: ['true'] },
  'ZOETROPE_RELAY_RULES: packs': { allowed: ['on', 'off'], refused: ['true'] },
  'ZOETROPE_RELAY_LIMITS: authorEvents': { allowed: ['1', '1000000000'], refused: ['0', '1000000001'] },
  'ZOETROPE_RELAY_LIMITS: relayEvents': { allowed: ['1', '1000000000'], refused: ['0', '1000000001'] },
  'ZOETROPE_RELAY_LIMITS: bytes': { allowed: ['1000000', '1000000000000000'], refused: ['999999', '1000000000000001'] },
};

/** Returns the message for a setting, or undefined if it has the value. */
function refusal(variable: string, value: string): string | undefined {
  try {
    loadConfig({ [variable]: value }, '/nowhere');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

it.each(Object.entries(PATTERNS))('%s has only values of its form', (variable, { allowed, refused }) => {
  for (const value of allowed) expect(refusal(variable, value), value).toBeUndefined();
  for (const value of refused) expect(refusal(variable, value), value).toContain(`\n  ${variable} must be `);
});

it.each(Object.entries(VALUES))(
  '%s has only values of its form and within its bounds',
  (title, { allowed, refused }) => {
    const [variable, name] = title.split(': ') as [string, string];
    for (const value of allowed) expect(refusal(variable, `${name}=${value}`), value).toBeUndefined();
    for (const value of refused)
      expect(refusal(variable, `${name}=${value}`), value).toContain(`\n  ${title} must be `);
  },
);

it('these are all settings with a pattern, and all values within settings', () => {
  const all = [...fields()].map(([, , field]) => field);
  expect(all.filter(({ pattern }) => pattern !== undefined).map(({ env }) => env)).toEqual(Object.keys(PATTERNS));
  const pairs = all.filter(({ form }) => form?.startsWith('NAME=VALUE'));
  const names = pairs.flatMap((field) =>
    String(field.default)
      .split(', ')
      .map((pair) => `${field.env}: ${pair.split('=')[0]}`),
  );
  expect(names.toSorted()).toEqual(Object.keys(VALUES).toSorted());
});
