import type { SearchResponse, SuggestResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { DEVELOPMENT, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/**
 * Yields 300 cats, so that a list is cut at 200. Also yields one adult cat, dogs, and two GIFs with equal popularity.
 */
function* rows() {
  for (let n = 0; n < 300; n++) yield { title: `cat number ${n}`, tags: ['cat', 'pet'], popularity: n };
  yield { id: 'adult.gif', title: 'cat number adult', tags: ['cat'], adult: true, popularity: 9_999 };
  yield { id: 'dog.gif', title: 'Dog chases its tail', tags: ['dog', 'funny'], character: ['Rex'], text: 'so dizzy' };
  yield { id: 'money.gif', title: 'rain of money', tags: ['rich'] };
  yield { id: 'cat-dog.gif', title: 'cat and dog', tags: [] };
  yield { id: 'accents.gif', title: 'Café Über Müde', tags: ['猫が踊る', 'สวัสดี'] };
}

const folder = temporaryFolder();
let server: Server;

beforeAll(async () => {
  const manifest = writeManifest(`${folder.path}/rows.jsonl`, rows());
  const { code, stderr } = await zoetrope(`${folder.path}/data`, ['add', manifest]);
  expect(code, stderr).toBe(0);
  server = await startServer(`${folder.path}/data`, { ZOETROPE_THREADS: '2' });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

async function search(query: string): Promise<SearchResponse> {
  const response = await server.get(`/api/v1/search?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SearchResponse;
}

/** Retries until the embedder has started. Each request waits up to a second for the embedder. */
async function untilMeaning(query: string): Promise<SearchResponse> {
  while ((await server.get(`/api/v1/search?${query}`)).status === 503);
  return search(query);
}

const ids = ({ items }: SearchResponse) => items.map((item) => item.id);

describe('search', () => {
  it('ranks popular GIFs first among equals, and returns no adult GIFs', async () => {
    const seen: string[] = [];
    for (let offset = 0; ; offset += 50) {
      const page = await search(`q=cat&limit=50&offset=${offset}`);
      seen.push(...ids(page));
      if (page.items.length < 50) break;
    }
    expect(new Set(seen).size).toBe(200);
    expect(seen).not.toContain('adult.gif');
    const { items } = await search('q=number');
    expect(items[0]?.title).toBe('cat number 299');
  });

  it('puts a GIF with all the words before one with some of them', async () => {
    expect(ids(await search('q=dog+cat'))[0]).toBe('cat-dog.gif');
  });

  it('finds characters, words in the picture, accents, and scripts without spaces', async () => {
    const byWords = async (q: string) => ids(await search(`mode=text&q=${encodeURIComponent(q)}`));
    expect(await byWords('rex')).toEqual(['dog.gif']);
    expect(await byWords('dizzy')).toEqual(['dog.gif']);
    expect(await byWords('cafe uber mude')).toEqual(['accents.gif']);
    expect(await byWords('สวัสดี')).toEqual(['accents.gif']);
    // GIFs with the literal word rank above GIFs with its meaning.
    const [first, second] = await byWords('猫');
    expect([first, second]).toEqual(['accents.gif', 'gif-299.gif']);
  });

  it('finds GIFs by meaning that have none of the words', async () => {
    expect(ids(await search('q=fortune&mode=text'))).toEqual([]);
    expect(ids(await untilMeaning('q=fortune&mode=semantic'))[0]).toBe('money.gif');
    // The query's vector is cached, so this search does not wait for it.
    expect((await search('q=fortune')).semantic).toBe(true);
  });

  it('finds GIFs by words in other languages and by emoji', async () => {
    for (const q of ['Hund', 'perro', 'chien', '🐶', '犬']) {
      expect(
        ids(await search(`q=${encodeURIComponent(q)}`))
          .slice(0, 2)
          .sort(),
        q,
      ).toEqual(['cat-dog.gif', 'dog.gif']);
    }
  });

  it('ignores punctuation and search syntax', async () => {
    expect(ids(await search(`q=${encodeURIComponent('"dog" AND -title:(chases*)')}`))[0]).toBe('dog.gif');
    expect((await search(`mode=text&q=${encodeURIComponent('!!! ...')}`)).count).toBe(0);
  });

  it.each(['search?q=%20', 'search?q=%20%09%20&mode=text', 'search?q=%E3%80%80&mode=semantic', 'suggest?q=%20%20'])(
    'finds nothing for a query of spaces, without an error: %s',
    async (path) => {
      const response = await server.get(`/api/v1/${path}`);
      expect(response.status).toBe(200);
      const { semantic = false, items, terms } = (await response.json()) as Partial<SearchResponse & SuggestResponse>;
      expect({ semantic, found: items ?? terms }).toEqual({ semantic: false, found: [] });
    },
  );

  it('repeats the same bytes, and answers 304 to clients that have them', async () => {
    // The query's vector is cached, so that no thread responds without it.
    await untilMeaning('q=dog&mode=semantic');
    const one = await server.get('/api/v1/search?q=dog');
    const etag = one.headers.get('etag') ?? '';
    const two = await server.get('/api/v1/search?q=%20DOG&limit=24&offset=null&mode=auto&unknown=1');
    expect(await two.text()).toBe(await one.text());
    const three = await server.get('/api/v1/search?q=dog', { ...DEVELOPMENT, 'if-none-match': etag });
    expect(three.status).toBe(304);
  });

  it('answers HEAD like GET, without a body', async () => {
    const response = await fetch(`${server.url}/api/v1/search?q=dog`, { method: 'HEAD', headers: DEVELOPMENT });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it.each([
    ['', 400, 'validation', 'q is missing'],
    ['q=', 400, 'validation', 'q must have 1 to 500 characters'],
    ['q=cat&q=dog', 400, 'validation', 'q must be given only once'],
    ['q=cat&limit=201', 400, 'validation', 'limit must be a whole number from 1 to 200'],
    ['q=cat&offset=-1', 400, 'validation', 'offset must be a whole number of at least 0'],
    ['q=cat&mode=fuzzy', 400, 'validation', 'mode must be one of auto, text, semantic'],
    ['q=cat&safe=0', 403, 'adult_not_allowed', 'safe must be 1'],
    ['q=cat&safe=2', 400, 'validation', 'safe must be one of 0, 1'],
  ])('refuses "%s"', async (query, status, code, message) => {
    const response = await server.get(`/api/v1/search?${query}`);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});

describe('tombstones', () => {
  it('remove a GIF from a running service, and bring it back', async () => {
    expect(ids(await search('mode=text&q=rex'))).toEqual(['dog.gif']);
    const { gen } = await search('mode=text&q=rex');
    await zoetrope(`${folder.path}/data`, ['gif', 'hide', 'dog.gif']);
    await expect.poll(async () => ids(await search('mode=text&q=rex')), { timeout: 480_000 }).toEqual([]);
    expect((await search('mode=text&q=rex')).gen).toBeGreaterThan(gen);
    expect((await server.get('/p/r1/w240/dog.gif')).status).toBe(404);
    await zoetrope(`${folder.path}/data`, ['gif', 'show', 'dog.gif']);
    await expect.poll(async () => ids(await search('mode=text&q=rex')), { timeout: 480_000 }).toEqual(['dog.gif']);
  });
});
