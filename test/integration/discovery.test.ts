import { type CategoriesResponse, DISCOVERY, type TrendingResponse } from '@zoetrope/contract';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { FILES, writeFiles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const BASE = '/api/discover/v1';

describe('discovery', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  let server: Server;
  let ids: string[];

  beforeAll(async () => {
    await prepareData(inject('prepared'), folder.path, writeFiles);
    server = await startServer(data, { ZOETROPE_EMBEDDER: 'none', ZOETROPE_CATEGORIES: 'dance, harbour, lfg' });
    const found = (await (await server.get('/api/v1/search?q=dance')).json()) as { items: { id: string }[] };
    ids = found.items.map(({ id }) => id);
  });

  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  async function read<Body>(path: string): Promise<Body> {
    const answer = await server.get(BASE + path);
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as Body;
  }

  test.each([
    ['gif', () => `/gifs/${ids[0]}`],
    ['gifs', () => `/gifs?ids=${ids[1]},${ids[0]}`],
    ['trending', () => '/trending?limit=3&offset=2'],
    ['terms', () => '/trending/terms?limit=5'],
    ['categories', () => '/categories'],
    ['random', () => '/random?q=dance'],
    ['random', () => '/random'],
  ] satisfies [keyof typeof DISCOVERY, () => string][])(
    '%s has the shape that its description says',
    async (name, path) => {
      const body = await read<unknown>(path());
      expect([...Value.Errors(DISCOVERY[name].response, body)]).toEqual([]);
    },
  );

  test('pages of the GIFs to start with have every GIF once, in the same order all day', async () => {
    const pages = [];
    for (let offset = 0; offset < FILES + 2; offset += 2)
      pages.push(await read<TrendingResponse>(`/trending?limit=2&offset=${offset}`));
    expect(pages.map(({ items }) => items.length)).toEqual([...Array(FILES / 2).fill(2), 0]);
    const whole = await read<TrendingResponse>('/trending');
    expect(whole.count).toBe(FILES);
    expect(pages.flatMap(({ items }) => items)).toEqual(whole.items);
    expect(new Set(whole.items.map(({ id }) => id)).size).toBe(FILES);
  });

  test('GIFs come in the order of the requested ids, and unknown ids are left out', async () => {
    const { items } = await read<{ items: { id: string }[] }>(`/gifs?ids=${ids[1]},unknown.gif,${ids[0]},${ids[1]}`);
    expect(items.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    const longest = Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(200, 'x'));
    expect(await read(`/gifs?ids=${longest.join(',')}`)).toMatchObject({ items: [] });
  });

  test('categories have a cover and enough GIFs', async () => {
    const { categories } = await read<CategoriesResponse>('/categories');
    expect(categories.map(({ name, term }) => [name, term])).toEqual([['Dance', 'dance']]);
    expect(ids).toContain(categories[0]!.cover.id);
  });

  test('a random GIF is chosen anew for each request', async () => {
    const answer = await server.get(`${BASE}/random?q=dance`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const chosen = new Set<string>();
    // All of 100 choices among five GIFs are the same with a probability of 5^-99.
    for (let n = 0; n < 100; n++) chosen.add((await read<{ item: { id: string } }>('/random?q=dance')).item.id);
    expect(chosen.size).toBeGreaterThan(1);
    expect([...chosen].every((id) => ids.includes(id))).toBe(true);
    expect((await server.get(`${BASE}/random?q=nothingsuch`)).status).toBe(404);
  });

  test.each([
    ['/gifs/unknown.gif', 404, 'not_found'],
    ['/gifs/!', 400, 'validation'],
    ['/gifs', 400, 'validation'],
    ['/gifs?ids=a.gif,', 400, 'validation'],
    [`/gifs?ids=${Array(51).fill('a.gif').join(',')}`, 400, 'validation'],
    ['/trending?limit=201', 400, 'validation'],
    ['/trending?offset=-1', 400, 'validation'],
    ['/trending?limit=1&limit=2', 400, 'validation'],
    ['/trending/terms?limit=51', 400, 'validation'],
    ['/categories?safe=0', 403, 'adult_not_allowed'],
    [`/random?q=${'a'.repeat(501)}`, 400, 'validation'],
  ])('%s is refused', async (path, status, code) => {
    const answer = await server.get(BASE + path);
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code } }]);
  });

  test('the callers of the API are admitted, and no others', async () => {
    for (const { path } of Object.values(DISCOVERY)) {
      const answer = await server.get(path.replace('{id}', ids[0]!), {});
      expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'client_not_registered' } }]);
      const preflight = await fetch(server.url + path.replace('{id}', 'a.gif'), {
        method: 'OPTIONS',
        headers: { ...DEVELOPMENT, 'access-control-request-method': 'GET' },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    }
  });

  test('its description is public, but is not in the description of the API', async () => {
    const described = (await (await server.get(`${BASE}/openapi.json`, {})).json()) as { paths: object };
    expect(Object.keys(described.paths)).toEqual(Object.values(DISCOVERY).map(({ path }) => path));
    const api = (await (await server.get('/api/v1/openapi.json', {})).json()) as { paths: object };
    expect(Object.keys(api.paths)).toHaveLength(3);
  });

  test('a hidden GIF is gone at once', async () => {
    const hidden = await zoetrope(data, ['gif', 'hide', ids[0]!]);
    expect(hidden.code, hidden.stderr).toBe(0);
    const isGone = async () => {
      const { items } = await read<TrendingResponse>('/trending');
      return !items.some(({ id }) => id === ids[0]) && (await server.get(`${BASE}/gifs/${ids[0]}`)).status === 404;
    };
    await expect.poll(isGone).toBe(true);
  });
});
