import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Gif, SearchResponse, SimilarResponse, SuggestResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readQueryLog } from '../../bench/support/query-log.ts';
import { catalogue } from '../../packages/starter/src/catalogue/catalogue.ts';
import { manifestLine } from '../../packages/starter/src/catalogue/manifest.ts';
import { type Row, writeGifs, writeManifest } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { DEVELOPMENT, freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * Existing apps have more requirements for responses than the contract's schema. If an item does not comply, apps drop
 * the item or the whole page.
 */

const MEDIA = 'https://media.gifs.example';
const SEARCHES = 500;
/** Number of real GIFs in addition to the starter catalogue, if there are any. */
const REAL_GIFS = 1_500;

/** The requests of these apps' pickers: items per page, terms, and the length to which queries are cut. */
const PICKERS = [
  { limit: 24, terms: 8, cut: 500 },
  { limit: 36, terms: 6, cut: 500 },
  { limit: 40, terms: 8, cut: 100 },
];
type Picker = (typeof PICKERS)[number];

/** The topics that pickers show first or offer as chips. */
const TOPICS = 'gm gn pv zap bitcoin coffee lfg wow lol yes applause facepalm love fire'.split(' ');

const folder = temporaryFolder();
const data = `${folder.path}/data`;
const port = await freePort();
let server: Server;

/** Sends a request directly to the service. The URLs in its responses belong to a proxy that does not exist. */
const ask = (target: string, headers: Record<string, string> = DEVELOPMENT) =>
  fetch(`http://127.0.0.1:${port}${target}`, { headers });

/**
 * Yields more GIFs than a result list can contain (200). They have only a tag. Also yields a GIF that is too large to
 * be animated.
 */
function* unusualRows(): Generator<Row> {
  for (let n = 0; n < 220; n++) yield { id: `gm-${n}.gif`, title: '', tags: ['gm'] };
  yield { id: 'huge.gif', title: 'gm huge', width: 4_000, height: 4_000, frames: 300, popularity: 9 };
}

/** Yields the starter catalogue as linked GIFs. They have the same texts, but do not have to be rendered. */
function* starterRows(): Generator<Row> {
  for (const entry of catalogue) {
    const { file, ...told } = manifestLine(entry);
    yield { ...told, tags: [...told.tags], id: file };
  }
}

/**
 * Returns rows with https URLs, because a linked GIF's response contains its original URL, and apps show only https.
 */
function realRows(): Row[] {
  if (!parts.data) return [];
  const lines = gunzipSync(fs.readFileSync(path.join(parts.data, 'catalogue.jsonl.gz')))
    .toString('utf8')
    .split('\n');
  const secure = lines.filter((line) => line.includes('"url": "https://'));
  return secure.slice(0, REAL_GIFS).map((line) => JSON.parse(line) as Row);
}

/** Returns distinct queries of real people, and the words of the starter catalogue in twelve languages. */
function queries(): string[] {
  const logged = parts.data ? readQueryLog(path.join(parts.data, 'queries.tsv.gz')) : [];
  const typed = logged.filter(({ op }) => op === 'search').map(({ q }) => q);
  const words = [...starterRows()].flatMap(({ tags = [] }) => tags);
  return [...new Set([...typed, ...words])].filter((q) => q.trim() !== '').slice(0, SEARCHES);
}

beforeAll(async () => {
  const manifest = writeManifest(`${folder.path}/rows.jsonl`, [...unusualRows(), ...starterRows(), ...realRows()]);
  writeGifs(`${folder.path}/files`, 12);
  const { code, stderr } = await zoetrope(data, ['add', '--quiet', manifest, `${folder.path}/files`], {
    ZOETROPE_EMBEDDER: 'none',
  });
  expect(code, stderr).toBe(0);
  server = await startServer(data, {
    ZOETROPE_PORT: String(port),
    ZOETROPE_THREADS: '1',
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_PUBLIC_URL: 'https://gifs.example',
    ZOETROPE_MEDIA_URL: MEDIA,
  });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

async function get<Answer>(target: string): Promise<Answer> {
  const response = await ask(target);
  expect(response.status, target).toBe(200);
  return (await response.json()) as Answer;
}

function search(q: string, { limit, cut }: Picker, offset = 0): Promise<SearchResponse> {
  const params = new URLSearchParams({ q: q.slice(0, cut), limit: `${limit}`, safe: '1', offset: `${offset}` });
  return get(`/api/v1/search?${params}`);
}

/** Processes all values, several of them at the same time, like the users of an app. */
async function forEach<Value>(
  values: readonly Value[],
  act: (value: Value, n: number) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < values.length; from += 8) {
    await Promise.all(values.slice(from, from + 8).map((value, n) => act(value, from + n)));
  }
}

const isHttps = (text: unknown) => typeof text === 'string' && URL.parse(text)?.protocol === 'https:';
const isOurs = (text: unknown) => typeof text === 'string' && text.startsWith(`${MEDIA}/`);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;

/** The requirements that apps have for an item. */
const DEMANDS: Record<string, (item: Gif) => boolean> = {
  'an https URL': ({ url }) => isHttps(url),
  'a known format': ({ format }) => ['gif', 'webp'].includes(format),
  'whole sizes above zero': ({ width, height }) => isCount(width) && isCount(height),
  'a title, maybe empty': ({ title }) => typeof title === 'string',
  'bytes that are whole or null': ({ bytes }) => bytes === null || isCount(bytes),
  'a placeholder that is a data URI of a picture': ({ lqip }) => lqip === null || lqip.startsWith('data:image/'),
  'an MP4 that is https or null': ({ mp4 }) => mp4 === null || isHttps(mp4),
  'all previews': ({ previews }) => ['small', 'medium', 'w240', 'w480'].every((name) => name in previews),
  'previews of whole sizes above zero': ({ previews }) =>
    Object.values(previews).every(({ width, height }) => isCount(width) && isCount(height)),
  'animated previews at the media URL, or null': ({ previews }) =>
    Object.values(previews).every(({ animated }) => animated === null || isOurs(animated)),
  'stills at the media URL': ({ previews }) => Object.values(previews).every(({ still }) => isOurs(still)),
};

function unmet(items: readonly Gif[]): string[] {
  return items.flatMap((item) =>
    Object.entries(DEMANDS).flatMap(([demand, isMet]) => (isMet(item) ? [] : [`${item.id}: ${demand}`])),
  );
}

describe('apps that call such a service', () => {
  test(`show every item of ${SEARCHES} searches`, async () => {
    const asked = queries();
    expect(asked).toHaveLength(SEARCHES);
    const failures: string[] = [];
    const seen = new Map<string, Gif>();
    await forEach(asked, async (q, n) => {
      const picker = PICKERS[n % PICKERS.length]!;
      const { items, offset, count, limit } = await search(q, picker);
      if (offset !== 0 || limit !== picker.limit || items.length !== Math.min(count, limit))
        failures.push(`${q}: its page`);
      failures.push(...unmet(items));
      for (const item of items) seen.set(item.id, item);
    });
    expect(failures.slice(0, 10)).toEqual([]);
    expect(seen.size).toBeGreaterThan(200);
  });

  test('show items without metadata, and items whose files are stored', async () => {
    const { items } = await search('gm', { limit: 200, terms: 8, cut: 500 });
    const { items: files } = await search('happy dance party', PICKERS[0]!);
    expect(unmet([...items, ...files])).toEqual([]);
    expect(items.some(({ title, bytes }) => title === '' && bytes === null)).toBe(true);
    const { items: huge } = await search('huge', PICKERS[0]!);
    expect(unmet(huge)).toEqual([]);
    expect(huge.find(({ id }) => id === 'huge.gif')?.previews.w240.animated).toBeNull();
    const own = files.filter(({ url }) => isOurs(url));
    expect(own).toHaveLength(12);
    expect(own.every(({ lqip, bytes }) => lqip?.startsWith('data:image/webp;base64,') && isCount(bytes))).toBe(true);
  });

  test.each(PICKERS)('page to the end of a list with %j', async (picker) => {
    const ids: string[] = [];
    for (let next = 0, end = 1; next < end; ) {
      const { items, offset, count } = await search('gm', picker, next);
      expect({ offset, count }).toEqual({ offset: next, count: 200 });
      expect(items.length).toBe(Math.min(picker.limit, count - offset));
      ids.push(...items.map(({ id }) => id));
      next = offset + items.length;
      end = count;
    }
    expect(new Set(ids).size).toBe(200);
    expect(await search('gm', picker, 199)).toMatchObject({ offset: 199, count: 200, items: [{}] });
    expect(await search('gm', picker, 500)).toMatchObject({ offset: 500, count: 200, items: [] });
  });

  test('search for the first part of a text that is too long', async () => {
    for (const picker of PICKERS) {
      expect((await search(`gm ${'good morning '.repeat(100)}`, picker)).q).toHaveLength(100);
    }
  });

  test.each(TOPICS)('open on %s with results', async (topic) => {
    for (const picker of PICKERS) expect((await search(topic, picker)).items.length).toBeGreaterThan(0);
  });

  test('complete the typed text', async () => {
    const failures: string[] = [];
    let shown = 0;
    await forEach(queries().slice(0, 200), async (q, n) => {
      const { terms: limit } = PICKERS[n % PICKERS.length]!;
      const typed = [...q].slice(0, 4).join('');
      const params = new URLSearchParams({ q: typed, limit: `${limit}`, safe: '1' });
      const { terms } = await get<SuggestResponse>(`/api/v1/suggest?${params}`);
      shown += terms.length;
      const isShown = terms.every(({ term, n: uses }) => typeof term === 'string' && term !== '' && isCount(uses));
      if (!isShown || terms.length > limit) failures.push(typed);
    });
    expect(failures).toEqual([]);
    expect(shown).toBeGreaterThan(100);
  });

  test('show similar GIFs', async () => {
    const { items } = await search('love', { limit: 40, terms: 8, cut: 500 });
    expect(items.length).toBeGreaterThan(5);
    await forEach(items, async ({ id }) => {
      const similar = await get<SimilarResponse>(`/api/v1/gifs/${id}/similar?limit=24&safe=1`);
      expect(unmet(similar.items)).toEqual([]);
    });
  });
});
