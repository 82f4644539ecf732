import { OPERATIONS, type SuggestResponse } from '@zoetrope/contract';
import Value from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { DEVELOPMENT, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/** Yields GIFs whose terms have known counts, in several scripts. Some terms occur only in adult GIFs. */
function* rows() {
  for (let n = 0; n < 30; n++) yield { title: `cat number ${n}`, tags: ['cat', ...(n < 20 ? ['catnip'] : [])] };
  for (let n = 0; n < 9; n++) yield { title: 'deal with it', tags: ['fire', ...(n < 4 ? ['firework'] : [])] };
  for (let n = 0; n < 5; n++) yield { title: 'two accidents', tags: ['Accident_Prone'], character: ['Snoopy'] };
  for (let n = 0; n < 5; n++) yield { tags: ['猫が踊る', 'สวัสดี', 'привет', 'مرحبا', 'Café', 'programmer'] };
  for (let n = 0; n < 40; n++) yield { title: 'catastrophic secret', tags: ['catsecret'], adult: true };
}

/** Suggestions need no vectors. */
const ENV = { ZOETROPE_EMBEDDER: 'none' };

const folder = temporaryFolder();
let server: Server;

beforeAll(async () => {
  const manifest = writeManifest(`${folder.path}/rows.jsonl`, rows());
  const { code, stderr } = await zoetrope(`${folder.path}/data`, ['add', manifest], ENV);
  expect(code, stderr).toBe(0);
  server = await startServer(`${folder.path}/data`, { ...ENV, ZOETROPE_THREADS: '2' });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

async function suggest(q: string, more = ''): Promise<SuggestResponse> {
  const response = await server.get(`/api/v1/suggest?q=${encodeURIComponent(q)}${more}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SuggestResponse;
}

async function termsOf(q: string): Promise<string[]> {
  return (await suggest(q)).terms.map(({ term }) => term);
}

describe('suggest', () => {
  it('answers as the contract says', async () => {
    const answer = await suggest('  CA ');
    expect([...Value.Errors(OPERATIONS.suggest.response, answer)]).toEqual([]);
    expect(answer).toMatchObject({ q: 'ca', build: expect.any(String), gen: expect.any(Number) });
    expect(answer.terms).toEqual([
      { term: 'cat', kind: 'tag', n: 30 },
      { term: 'cat number', kind: 'title', n: 30 },
      { term: 'catnip', kind: 'tag', n: 20 },
      { term: 'Café', kind: 'tag', n: 5 },
    ]);
  });

  it('names the most frequent kind of a term', async () => {
    expect((await suggest('snoo')).terms).toContainEqual({ term: 'Snoopy', kind: 'character', n: 5 });
    expect((await suggest('deal w')).terms[0]).toEqual({ term: 'deal with it', kind: 'title', n: 9 });
  });

  it('never suggests a term that only adult GIFs have', async () => {
    for (const q of ['catas', 'catsecret', 'secr', 'secert', 'catastrophic', 'c', 's'])
      expect((await termsOf(q)).filter((term) => /secret|catas/.test(term))).toEqual([]);
  });

  it('adds similar terms if the query has four characters and few terms start with it', async () => {
    const { terms } = await suggest('acidents');
    expect(terms[0]).toEqual({ term: 'accidents', kind: 'title', n: 5, fuzzy: true });
    expect(await termsOf('frie')).toContain('fire');
    expect(await termsOf('fir')).toEqual(['fire', 'firework']);
    expect(await termsOf('cta')).toEqual([]);
    const both = (await suggest('prog')).terms;
    expect(both[0]).toEqual({ term: 'programmer', kind: 'tag', n: 5 });
  });

  it('completes prefixes in every script and spelling', async () => {
    expect(await termsOf('猫')).toEqual(['猫が踊る']);
    expect(await termsOf('สวั')).toEqual(['สวัสดี']);
    expect(await termsOf('ПРИ')).toEqual(['привет']);
    expect(await termsOf('مر')).toEqual(['مرحبا']);
    expect(await termsOf('ｃａｆ')).toEqual(['Café']);
    expect(await termsOf('CAFÉ')).toEqual(['Café']);
    expect((await termsOf('accident p'))[0]).toBe('accident prone');
    expect((await termsOf('accident_'))[0]).toBe('Accident_Prone');
  });

  it('completes an emoji by its name', async () => {
    expect((await suggest('🔥')).terms).toEqual([
      { term: 'fire', kind: 'tag', n: 9 },
      { term: 'firework', kind: 'tag', n: 4 },
    ]);
    expect((await suggest('🔥🔥')).terms).toHaveLength(2);
    for (const cat of ['🐱', '🐈']) expect((await termsOf(cat))[0]).toBe('cat');
    for (const coder of ['👩‍💻', '👩🏽‍💻', '👨🏿‍💻']) expect(await termsOf(coder)).toEqual(['programmer']);
    expect(await termsOf('🔥 cat')).toEqual([]);
  });

  it('limits the number of terms and the length of the query', async () => {
    expect((await suggest('c', '&limit=1')).terms).toHaveLength(1);
    expect((await suggest('c', '&limit=20')).terms.length).toBeLessThanOrEqual(20);
    expect((await suggest('!!!!')).terms).toEqual([]);
    expect((await suggest('x'.repeat(500))).q).toBe('x'.repeat(100));
  });

  it('repeats the same bytes, and answers 304 to clients that have them', async () => {
    const one = await server.get('/api/v1/suggest?q=cat');
    const etag = one.headers.get('etag') ?? '';
    expect(one.headers.get('vary')).toBe('Accept-Encoding, Origin, Authorization, User-Agent');
    const two = await server.get('/api/v1/suggest?q=%20CAT&limit=8&unknown=1');
    expect(await two.text()).toBe(await one.text());
    const three = await server.get('/api/v1/suggest?q=cat', { ...DEVELOPMENT, 'if-none-match': etag });
    expect(three.status).toBe(304);
  });

  it.each([
    ['', 400, 'validation', 'q is missing'],
    ['q=', 400, 'validation', 'q must have 1 to 500 characters'],
    ['q=cat&limit=0', 400, 'validation', 'limit must be a whole number from 1 to 20'],
    ['q=cat&limit=21', 400, 'validation', 'limit must be a whole number from 1 to 20'],
    ['q=cat&safe=0', 403, 'adult_not_allowed', 'safe must be 1'],
  ])('refuses "%s"', async (query, status, code, message) => {
    const response = await server.get(`/api/v1/suggest?${query}`);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});
