import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { lookAtVideo } from '../../packages/server/src/media/testing/look-at-video.ts';
import { blocksGif } from '../support/catalogue.ts';
import { FILES, writeFiles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ALL = 'gifbox,gifverse,tenor,giphy,klipy';
/** No part of a GIF of the catalogue has this word. */
const SECRET = 'xylophonist';

interface File {
  url: string;
  width: number;
  height: number;
}

// biome-ignore lint/suspicious/noExplicitAny: each face has a shape of its own
type Body = any;

/** One face as its apps use it: the address of a page, and how they read it. */
interface App {
  search(q: string, limit: number, next: string): string;
  trending: string;
  idsOf(body: Body): string[];
  /** Returns the next place, or undefined at the end. */
  nextOf(body: Body, next: string, limit: number): string | undefined;
  filesOf(item: Body): File[];
  itemsOf(body: Body): Body[];
  /** Whether the body is this API's error with an empty list. */
  isError(body: Body): boolean;
}

const tenorFiles = (formats: Body): File[] =>
  Object.values<Body>(formats).map(({ url, dims: [width, height] }) => ({ url, width, height }));

const APPS: Record<string, App> = {
  gifbox: {
    search: (q, limit, next) => `/gifbox/search?locale=en_US&query=${q}&limit=${limit}&position=${next}`,
    trending: '/gifbox/trending?locale=en_US',
    itemsOf: ({ results }) => results,
    idsOf: ({ results }) => results.map(({ id }: Body) => id),
    nextOf: ({ next }) => next,
    filesOf: ({ media_formats: { webm, tinywebm } }) =>
      [webm, tinywebm].map(({ url, dimensions: [width, height] }) => ({ url, width, height })),
    isError: ({ error, results }) => typeof error.code === 'string' && results.length === 0,
  },
  gifverse: {
    search: (q, limit, next) => `/gifverse/api/v1/search?q=${q}&limit=${limit}&offset=${next || 0}&sort=relevant`,
    trending: '/gifverse/api/v1/trending',
    itemsOf: ({ results }) => results,
    idsOf: ({ results }) => results.map(({ i }: Body) => i),
    nextOf: ({ pagination: { has_more } }, next, limit) => (has_more ? String(Number(next) + limit) : undefined),
    filesOf: ({ i, w: width, h: height, f }) =>
      ['original.gif', ...f].map((name: string) => ({ url: `/gifverse/media/${i}/${name}`, width, height })),
    isError: ({ error, results, pagination }) => error !== '' && results.length === 0 && pagination.has_more === false,
  },
  tenor: {
    search: (q, limit, next) => `/tenor/v2/search?q=${q}&limit=${limit}&pos=${next}&contentfilter=off&locale=undefined`,
    trending: '/tenor/v2/featured',
    itemsOf: ({ results }) => results,
    idsOf: ({ results }) => results.map(({ id }: Body) => id),
    nextOf: ({ next }) => next || undefined,
    filesOf: ({ media_formats }) => tenorFiles(media_formats),
    isError: ({ error, results, next }) => error.code >= 400 && results.length === 0 && next === '',
  },
  tenor1: {
    search: (q, limit, next) => `/tenor/v1/search?q=${q}&limit=${limit}&pos=${next}`,
    trending: '/tenor/v1/trending',
    itemsOf: ({ results }) => results,
    idsOf: ({ results }) => results.map(({ id }: Body) => id),
    nextOf: ({ next }) => next || undefined,
    filesOf: ({ media: [formats] }) => tenorFiles(formats),
    isError: ({ error, results }) => error.code >= 400 && results.length === 0,
  },
  giphy: {
    search: (q, limit, next) => `/giphy/v1/gifs/search?q=${q}&limit=${limit}&offset=${next}&rating=r&type=undefined`,
    trending: '/giphy/v1/gifs/trending',
    itemsOf: ({ data }) => data,
    idsOf: ({ data }) => data.map(({ id }: Body) => id),
    nextOf: ({ pagination: { offset, count, total_count } }) =>
      offset + count < total_count ? String(offset + count) : undefined,
    filesOf: ({ images }) =>
      [...Object.values<Body>(images), small(images.fixed_width)].map(({ url, width, height }) => ({
        ...{ url, width: Number(width), height: Number(height) },
      })),
    isError: ({ data, meta }) => data.length === 0 && meta.status >= 400 && meta.msg !== '',
  },
  klipy: {
    search: (q, limit, next) => `/klipy/api/v1/none/gifs/search?q=${q}&per_page=${limit}&page=${next}&customer_id=1`,
    trending: '/klipy/api/v1/none/gifs/trending',
    itemsOf: ({ data }) => data.data,
    idsOf: ({ data }) => data.data.map(({ slug }: Body) => slug),
    nextOf: ({ data: { has_next, current_page } }) => (has_next ? String(current_page + 1) : undefined),
    filesOf: ({ file }) => Object.values<Body>(file).flatMap((formats) => Object.values<File>(formats)),
    isError: ({ result, data }) => result === false && data.data.length === 0,
  },
};

/** Returns the small MP4 of a GIF for GIPHY. The height of the GIF is odd, and that of the MP4 is even. */
function small({ mp4, width, height }: Body): Body {
  return { url: mp4, width, height: Number(height) + 1 };
}

/** Returns the type of a file, and the size in its head. */
async function sizeIn(file: Buffer): Promise<{ type: string; width: number; height: number }> {
  const start = file.toString('latin1', 0, 12);
  if (start.startsWith('GIF8')) return { type: 'image/gif', width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
  if (start.startsWith('\x89PNG'))
    return { type: 'image/png', width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  if (start.endsWith('WEBP') && file.toString('latin1', 12, 16) === 'VP8X')
    return { type: 'image/webp', width: 1 + file.readUIntLE(24, 3), height: 1 + file.readUIntLE(27, 3) };
  if (start.slice(4, 8) === 'ftyp') {
    const { width, height } = await lookAtVideo(file);
    return { type: 'video/mp4', width, height };
  }
  throw new Error(`a file of an unknown type: ${JSON.stringify(start)}`);
}

describe('the faces', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  let server: Server;
  let key: string;
  let log = '';

  beforeAll(async () => {
    await prepareData(inject('prepared'), folder.path, writeFiles);
    // The previews of this GIF are smaller than the GIF. The height of w240 is odd: 151 pixels.
    const large = blocksGif({ width: 640, height: 402, delays: [10, 20], seed: 99 });
    fs.writeFileSync(`${folder.path}/large dance.gif`, large);
    await zoetrope(data, ['add', '--quiet', `${folder.path}/large dance.gif`]);
    const added = await zoetrope(data, ['client', 'add', 'App']);
    const id = /is client (\w+)/.exec(added.stdout)![1]!;
    const created = await zoetrope(data, ['key', 'create', id, '--name', 'faces']);
    key = /zoe_\w+/.exec(created.stdout)![0];
    const settings = { ZOETROPE_FACES: ALL, ZOETROPE_REQUEST_LOG: 'queries', ZOETROPE_EMBEDDER: 'none' };
    server = await startServer(data, { ...settings, ZOETROPE_CATEGORIES: 'dance, harbour, nothing such' });
    server.process.stderr!.on('data', (chunk) => {
      log += chunk;
    });
  });

  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  async function read(path: string, headers: Record<string, string> = DEVELOPMENT): Promise<Body> {
    const answer = await server.get(path, headers);
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([200, 'application/json; charset=utf-8']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    return answer.json();
  }

  describe.each(Object.entries(APPS))('%s', (_, app) => {
    test('pages through a list without leaving out or repeating a GIF', async () => {
      const ids: string[] = [];
      let next: string | undefined = '';
      let pages = 0;
      for (; next !== undefined && pages < 20; pages++) {
        const body: Body = await read(app.search('dance', 2, next));
        const found = app.idsOf(body);
        expect([1, 2]).toContain(found.length);
        ids.push(...found);
        next = app.nextOf(body, next, 2);
      }
      expect(next).toBeUndefined();
      expect(new Set(ids).size).toBe(ids.length);
      const api: Body = await read('/api/v1/search?q=dance');
      expect(ids).toEqual(api.items.map(({ id }: Body) => id));
      expect(ids.length).toBeGreaterThan(2);
    });

    test('says the type and size of each file', async () => {
      const [item] = app.itemsOf(await read(app.search('large', 1, '')));
      const files = app.filesOf(item);
      expect(files.length).toBeGreaterThan(0);
      for (const { url, width, height } of files) {
        const answer = await server.get(new URL(url, server.url).pathname, {});
        expect(answer.status, url).toBe(200);
        const { type, ...size } = await sizeIn(Buffer.from(await answer.arrayBuffer()));
        expect(answer.headers.get('content-type'), url).toBe(type);
        expect(size, url).toEqual({ width, height });
      }
    });

    test('has GIFs to start with', async () => {
      expect(app.idsOf(await read(app.trending))).toHaveLength(FILES + 1);
    });

    test.each([
      '&limit=&limit=0&per_page=-1',
      '&limit=100000&per_page=100000',
      '&pos=&pos=abc&offset=1e9&page=0&position=%00',
      '&q=&query=undefined&locale=xx_XX&lang=&rating=&media_filter=minimal&ar_range=all&random=true',
    ])('accepts %s', async (more) => {
      const body = await read(app.search('dance', 2, '') + more);
      expect(app.idsOf(body).length).toBeGreaterThan(0);
    });

    test('finds nothing for an empty query', async () => {
      const body = await read(app.search('', 2, ''));
      expect(app.idsOf(body)).toEqual([]);
      expect(app.nextOf(body, '', 2)).toBeUndefined();
    });

    test('refuses other callers in its own words', async () => {
      const answer = await server.get(app.search('dance', 2, ''), {});
      expect(answer.status).toBe(403);
      expect(app.isError(await answer.json())).toBe(true);
      const origin = { origin: 'https://unknown.example' };
      expect((await server.get(app.search('dance', 2, ''), origin)).headers.has('access-control-allow-origin')).toBe(
        false,
      );
    });

    test('reports wrong paths and escapes in its own words', async () => {
      const base = /^\/\w+\//.exec(app.trending)![0];
      for (const [path, status] of [
        [`${base}nothing/such`, 404],
        [`${app.trending}?q=%`, 400],
      ] as const) {
        const answer = await server.get(path, { ...DEVELOPMENT, accept: 'text/html' });
        expect([answer.status, app.isError(await answer.json())], path).toEqual([status, true]);
      }
    });
  });

  test('the key in an address admits a caller, and no log contains the key', async () => {
    const addresses = [
      `/tenor/v2/search?q=${SECRET}&key=${key}`,
      `/giphy/v1/gifs/search?api_key=${key}&q=${SECRET}`,
      `/klipy/api/v1/${key}/gifs/search?q=${SECRET}`,
      `/gifbox/search?query=${SECRET}&key=${key}`,
    ];
    // The second answer comes from the cache.
    for (const path of [...addresses, ...addresses]) await read(path, {});
    expect((await server.get(`/tenor/v2/search?q=cat&key=${key}`, { origin: 'https://unknown.example' })).status).toBe(
      403,
    );
    const wrong = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
    expect((await server.get(`/tenor/v2/search?q=cat&key=${wrong}`, {})).status).toBe(403);
    await read(`/tenor/v2/search?q=the-last-one&key=${key}`, {});
    await expect.poll(() => log).toContain('the-last-one');
    expect(log).toContain(SECRET);
    expect(log).not.toContain(key);
  });

  test('categories have covers, and only topics with enough GIFs', async () => {
    const { tags } = await read('/tenor/v2/categories?type=featured');
    expect(tags.map(({ searchterm }: Body) => searchterm)).toEqual(['dance']);
    expect(await read('/gifbox/categories?locale=en_US')).toEqual([{ title: 'Dance', image: tags[0].image }]);
    const { data } = await read('/giphy/v1/gifs/categories');
    expect(data).toMatchObject([{ name: 'Dance', gif: { images: { fixed_width: { url: tags[0].image } } } }]);
    const { data: klipy } = await read('/klipy/api/v1/none/gifs/categories');
    expect(klipy).toEqual({ categories: [{ category: 'Dance', query: 'dance', preview_url: tags[0].image }] });
    expect((await server.get(new URL(tags[0].image).pathname, {})).status).toBe(200);
  });

  test('apps get completions, and terms to start with', async () => {
    const completions = ['happy', 'happy dance'];
    for (const path of ['/tenor/v2/autocomplete', '/tenor/v2/search_suggestions', '/tenor/v1/autocomplete']) {
      expect((await read(`${path}?q=hap`)).results).toEqual(completions);
      expect((await read(`${path}?q=hap&limit=1`)).results).toEqual(completions.slice(0, 1));
    }
    const named = completions.map((name) => ({ name }));
    expect((await read('/giphy/v1/gifs/search/tags?q=hap')).data).toEqual(named);
    expect((await read('/giphy/v1/tags/related/hap')).data).toEqual(named);
    const terms = ['dance', 'harbour', 'nothing such'];
    expect((await read('/tenor/v2/trending_terms?q=hap')).results).toEqual(terms);
    expect((await read('/giphy/v1/trending/searches')).data).toEqual(terms);
  });

  test('no cache keeps a GIF that was chosen at random', async () => {
    const { headers } = await server.get('/giphy/v1/gifs/random?tag=dance');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('GIFs are found by their ids', async () => {
    const ids: string[] = APPS['tenor']!.idsOf(await read('/tenor/v2/search?q=dance&limit=2'));
    const wanted = `${ids[1]},unknown.gif,${ids[0]}`;
    const found = [ids[1], ids[0]];
    expect(APPS['tenor']!.idsOf(await read(`/tenor/v2/posts?ids=${wanted}`))).toEqual(found);
    expect(APPS['tenor']!.idsOf(await read(`/tenor/v1/gifs?ids=${wanted}`))).toEqual(found);
    expect(APPS['giphy']!.idsOf(await read(`/giphy/v1/gifs?ids=${wanted}`))).toEqual(found);
    expect((await read(`/giphy/v1/gifs/${ids[0]}`)).data.id).toBe(ids[0]);
    expect((await read(`/klipy/api/v1/none/gifs/${ids[0]}`)).data.slug).toBe(ids[0]);
    const related = APPS['giphy']!.idsOf(await read(`/giphy/v1/gifs/related?gif_id=${ids[0]}`));
    expect(related).not.toContain(ids[0]);
    expect(related.length).toBeGreaterThan(1);
    const later = await read(`/giphy/v1/gifs/related?gif_id=${ids[0]}&offset=1&limit=1`);
    expect(APPS['giphy']!.idsOf(later)).toEqual([related[1]]);
    expect((await read('/giphy/v1/gifs/random?tag=dance')).data.type).toBe('gif');
    for (const path of ['/giphy/v1/gifs/unknown.gif', '/giphy/v1/gifs/related?gif_id=unknown.gif']) {
      const answer = await server.get(path);
      expect([answer.status, APPS['giphy']!.isError(await answer.json())]).toEqual([404, true]);
    }
    expect((await server.get('/gifverse/media/unknown.gif/original.gif', {})).status).toBe(404);
    expect((await server.get(`/gifverse/media/${ids[0]}/constructor`, {})).status).toBe(404);
  });

  test('apps can report what was shared, and the service stores nothing about it', async () => {
    const before = filesWith(data, SECRET);
    await read(`/tenor/v2/registershare?id=a.gif&q=${SECRET}`);
    const shared = await fetch(`${server.url}/klipy/api/v1/none/gifs/share/a.gif`, {
      method: 'POST',
      headers: { ...DEVELOPMENT, 'content-type': 'application/json' },
      body: JSON.stringify({ q: SECRET, customer_id: SECRET }),
    });
    expect([shared.status, await shared.json()]).toEqual([200, { result: true }]);
    const elsewhere = await fetch(`${server.url}/giphy/v1/gifs/search`, { method: 'POST', headers: DEVELOPMENT });
    expect(elsewhere.status).toBe(405);
    expect([before, filesWith(data, SECRET)]).toEqual([[], []]);
  });

  test('pages can send the header of their session, but not Authorization', async () => {
    const answer = await fetch(`${server.url}/gifbox/search?query=cat`, {
      method: 'OPTIONS',
      headers: {
        ...DEVELOPMENT,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-session',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-headers')).toBe('*');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

test('a face is closed unless it is turned on, and open to everybody if the operator says so', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await prepareData(inject('prepared'), folder.path, writeFiles);
  const limits = { ZOETROPE_RATES: 'pages=4', ZOETROPE_EMBEDDER: 'none' };
  await using server = await startServer(data, { ...limits, ZOETROPE_FACES: 'gifbox:public' });
  expect((await server.get('/tenor/v2/search?q=dance')).status).toBe(404);
  const answers: Response[] = [];
  for (let n = 0; n < 6; n++) answers.push(await server.get('/gifbox/search?query=dance', {}));
  expect(answers[0]!.status).toBe(200);
  const refused = answers.at(-1)!;
  expect([refused.status, await refused.json()]).toMatchObject([429, { results: [], error: { code: 'rate_limited' } }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('an unknown face is reported before the service starts', async () => {
  using folder = temporaryFolder();
  const { code, stderr } = await zoetrope(`${folder.path}/data`, ['serve'], { ZOETROPE_FACES: 'tenor,giffy' });
  expect(code).not.toBe(0);
  expect(stderr).toContain('ZOETROPE_FACES');
  expect(stderr).toContain('"giffy"');
});

/** Returns the files below a folder that contain a text. */
function filesWith(folder: string, text: string): string[] {
  const files = fs.globSync('**/*', { cwd: folder }).map((name) => `${folder}/${name}`);
  return files.filter((file) => fs.statSync(file).isFile() && fs.readFileSync(file).includes(text));
}
