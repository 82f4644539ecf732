import { expect, test } from 'vitest';
import { DEVELOPMENT } from '../support/server.ts';
import { useCatalogue } from './service.ts';

/*
 * The headers of each kind of answer. Caches, browsers and other services act on them, but nobody would notice if most
 * of them were missing. After an intended change, run `npm test -- test/conformance/headers.test.ts --update`.
 */

const service = useCatalogue();
const HTML = { accept: 'text/html' };
const READER = { origin: 'https://reader.example' };

/** The requests. `ID` and `HASH` stand for the id and the hash of a GIF whose original is stored here. */
const REQUESTS: readonly (readonly [address: string, init?: RequestInit & { headers?: Record<string, string> }])[] = [
  ['/'],
  ['/?q=mouse'],
  ['/g/HASH'],
  ['/g/HASH.gif'],
  ['/g/nothing', { headers: HTML }],
  ['/g/LONG'],
  ['/oembed?url=URL/g/HASH.gif'],
  ['/oembed?url=URL/g/nothing'],
  ['/oembed?url=URL/g/HASH.gif&maxwidth=1000000'],
  ['/language?to=de&at=/status'],
  ['/language?to=xx'],
  ['/report'],
  ['/report', { method: 'POST', body: 'gif=' }],
  ['/report', { method: 'POST', body: 'gif=', headers: { 'sec-fetch-site': 'cross-site' } }],
  ['/report', { method: 'OPTIONS', headers: READER }],
  ['/report', { method: 'PUT', body: '{}', headers: READER }],
  ['/status'],
  ['/developers'],
  ['/developers/api'],
  ['/icon.svg'],
  ['/manifest.webmanifest'],
  ['/font.woff2'],
  ['/home.js'],
  ['/zoetrope.css'],
  ['/gif-client.js'],
  ['/dashboard'],
  ['/dashboard/assets/nothing.js'],
  ['/healthz'],
  ['/readyz'],
  ['/.well-known/gif-search.json'],
  ['/catalogue/manifest.json'],
  ['/nothing'],
  ['/nothing', { headers: HTML }],
  ['/api/v1/openapi.json'],
  ['/api/v1/search?q=mouse', { headers: DEVELOPMENT }],
  ['/api/v1/search?q=mouse', { headers: { ...DEVELOPMENT, 'accept-encoding': 'identity' } }],
  ['/api/v1/search?q=mouse', { headers: { ...DEVELOPMENT, 'if-none-match': '*' } }],
  ['/api/v1/search?q=mouse', { method: 'HEAD', headers: DEVELOPMENT }],
  ['/api/v1/search?q=mouse', { method: 'POST', headers: DEVELOPMENT }],
  ['/api/v1/search?q=mouse', { method: 'OPTIONS', headers: DEVELOPMENT }],
  ['/api/v1/search?q=mouse', { method: 'OPTIONS', headers: READER }],
  ['/api/v1/search?q=mouse&explain=1', { headers: DEVELOPMENT }],
  ['/api/v1/search', { headers: DEVELOPMENT }],
  ['/api/v1/search?q=mouse', { headers: READER }],
  ['/api/v1/suggest?q=mou', { headers: DEVELOPMENT }],
  ['/api/v1/gifs/nothing/similar', { headers: DEVELOPMENT }],
  ['/api/v1/gifs/nothing/similar', { headers: { ...DEVELOPMENT, 'if-none-match': '*' } }],
  ['/api/discover/v1/trending', { headers: DEVELOPMENT }],
  ['/try/api/v1/search?q=mouse', { headers: { 'sec-fetch-site': 'same-origin' } }],
  ['/try/api/v1/search?q=mouse'],
  ['/try/.well-known/gif-search.json', { headers: { 'sec-fetch-site': 'same-origin' } }],
  ['ORIGINAL'],
  ['ORIGINAL', { method: 'HEAD' }],
  ['ORIGINAL', { headers: { 'if-none-match': '*' } }],
  ['ORIGINAL', { headers: { range: 'bytes=0-3' } }],
  ['ORIGINAL', { headers: { range: 'bytes=9999999-' } }],
  ['/HASH'],
  ['/HASH', { method: 'OPTIONS', headers: READER }],
  ['/m/00/00/nothing.gif'],
  ['STILL'],
  ['OLD-STILL'],
  ['/p/nothing'],
  ['/dashboard/api/site'],
  ['/dashboard/api/site', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ['/dashboard/api/account'],
  ['/dashboard/api/nothing'],
];

/** Headers of the connection, and headers whose value differs with each answer. */
const LEFT_OUT = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

test('each kind of answer has its headers', async () => {
  const { id, url, previews } = await service.gif('mouse');
  // Responses without search by meaning have other headers.
  await service.untilMeaning('mouse');
  const hash = id.slice(0, 64);
  const still = previews.w240.still!;
  const names: Record<string, string> = {
    ...{ 'OLD-STILL': still.replace(/\/p\/[^/]+\//, '/p/r0/'), STILL: still, ORIGINAL: url },
    ...{ HASH: hash, URL: service.url, LONG: 'a'.repeat(200) },
  };
  const shown: string[] = [];
  for (const [address, init = {}] of REQUESTS) {
    let asked = address;
    for (const [name, value] of Object.entries(names)) asked = asked.replaceAll(name, value);
    const response = await fetch(asked.startsWith('/') ? service.url + asked : asked, { redirect: 'manual', ...init });
    await response.arrayBuffer();
    const headers = [...response.headers].filter(([name]) => !LEFT_OUT.has(name)).toSorted();
    const given = init.headers === undefined ? '' : ` ${JSON.stringify(init.headers)}`;
    const lines = headers.map(([name, value]) => `  ${name}: ${plain(name, value)}`);
    shown.push([`${init.method ?? 'GET'} ${address}${given}`, `  ${response.status}`, ...lines].join('\n'));
  }
  await expect(`${shown.join('\n\n')}\n`).toMatchFileSnapshot('golden/headers.txt');

  /** Returns a value without the parts that differ from run to run. */
  function plain(name: string, value: string): string {
    if (name === 'x-request-id') return 'ID';
    if (name === 'etag') return value.replace(/"[\w-]+?(-gzip)?"/, '"TAG$1"');
    if (name.startsWith('ratelimit')) return value.replaceAll(/\b(r|t)=\d+/g, '$1=N');
    return value.replaceAll(service.url, 'URL').replaceAll(hash, 'HASH');
  }
});
