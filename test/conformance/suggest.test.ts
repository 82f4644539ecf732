import { OPERATIONS, type SuggestResponse, type Term } from '@zoetrope/contract';
import Value from 'typebox/value';
import { describe, expect } from 'vitest';
import { CATS } from './catalogue.ts';
import { sentence } from './sentence.ts';
import { useCatalogue } from './service.ts';

const service = useCatalogue();

async function suggest(q: string, params = ''): Promise<SuggestResponse> {
  const response = await service.get(`/api/v1/suggest?q=${encodeURIComponent(q)}${params}`);
  expect(response.status, q).toBe(200);
  return (await response.json()) as SuggestResponse;
}

/** Returns whether the counts never rise from one term to the next, as "most used first" requires. */
function isMostUsedFirst(terms: readonly Term[]): boolean {
  return terms.every(({ n }, at) => at === 0 || n <= terms[at - 1]!.n);
}

async function status(params: string): Promise<number> {
  return (await service.get(`/api/v1/suggest?${params}`)).status;
}

describe('Suggest response', () => {
  sentence(58, async () => {
    const { build } = await service.search('q=cat');
    expect((await suggest('cat')).build).toBe(build);
  });

  sentence(59, async () => {
    const { gen } = await service.search('q=cat');
    expect((await suggest('cat')).gen).toBe(gen);
  });

  sentence(60, async () => {
    expect((await suggest('  CaT ')).q).toBe('cat');
  });

  sentence(61, async () => {
    expect((await suggest('cat')).terms.length).toBeGreaterThan(0);
    expect((await suggest('!!')).terms).toEqual([]);
  });

  sentence(62, async () => {
    for (const { term } of (await suggest('c')).terms) expect(term).toMatch(/^c/i);
  });

  sentence(63, async () => {
    const kinds = async (q: string) => (await suggest(q)).terms.map(({ term, kind }) => [term, kind]);
    expect(await kinds('zoo')).toContainEqual(['zoo', 'tag']);
    expect(await kinds('snoo')).toContainEqual(['Snoopy', 'character']);
    expect(await kinds('num')).toContainEqual(['number', 'title']);
    expect(await kinds('besid')).toContainEqual(['beside', 'text']);
  });

  sentence(64, async () => {
    const { terms } = await suggest('c', '&limit=20');
    expect(terms).toContainEqual({ term: 'cat', kind: 'tag', n: CATS });
    expect(isMostUsedFirst(terms)).toBe(true);
  });

  sentence(65, async () => {
    expect((await suggest('nmuber')).terms[0]).toMatchObject({ term: 'number', fuzzy: true });
    expect((await suggest('number')).terms[0]).toEqual({ term: 'number', kind: 'title', n: CATS });
  });
});

describe('GET /api/v1/suggest', () => {
  sentence(95, async () => {
    for (const q of ['c', 'ca', 'cat', 'cat n', 'n', 'z', 'при', '猫', 'สวั', 'مر']) {
      const { terms } = await suggest(q, '&limit=20');
      expect(terms.length, q).toBeGreaterThan(0);
      expect(isMostUsedFirst(terms.filter(({ fuzzy }) => !fuzzy)), q).toBe(true);
      for (const { term, fuzzy } of terms) if (!fuzzy) expect(term.toLowerCase().startsWith(q), term).toBe(true);
    }
    for (const q of ['forbidden', 'forb', 'forbiden']) {
      const found = (await suggest(q)).terms.map(({ term }) => term);
      expect(found, 'only the adult GIF has it').not.toContain('forbidden');
    }
  });

  sentence(96, async () => {
    for (const q of ['cat', 'nmuber', '🐱', '!!'])
      expect([...Value.Errors(OPERATIONS.suggest.response, await suggest(q))], q).toEqual([]);
  });

  sentence(97, async () => {
    expect(await service.parameter('suggest', 'q')).toMatchObject({
      required: true,
      schema: { type: 'string', minLength: 1, maxLength: 500 },
    });
    expect(await service.fail('/api/v1/suggest')).toMatchObject({ status: 400, message: 'q is missing' });
    expect(await status('q=')).toBe(400);
    expect(await status('q=a')).not.toBe(400);
    expect(await status(`q=${'a'.repeat(500)}`)).not.toBe(400);
    expect(await status(`q=${'a'.repeat(501)}`)).toBe(400);
  });

  sentence(99, async () => {
    const { required, schema } = await service.parameter('suggest', 'safe');
    expect(required).toBe(false);
    expect(schema).toMatchObject({ default: '1', anyOf: [{ const: '0' }, { const: '1' }] });
    expect(await status('q=cat&safe=1')).toBe(await status('q=cat'));
    expect(await status('q=cat&safe=0')).toBe(403);
    expect(await status('q=cat&safe=2')).toBe(400);
  });

  sentence(98, async () => {
    const { required, schema } = await service.parameter('suggest', 'limit');
    expect(required).toBe(false);
    expect(schema).toMatchObject({ type: 'integer', default: 8, minimum: 1, maximum: 20 });
    expect((await suggest('c', '&limit=1')).terms).toHaveLength(1);
    for (const limit of ['0', '21', '1.5', 'many']) expect(await status(`q=cat&limit=${limit}`), limit).toBe(400);
  });

  sentence(100, async () => {
    const { terms } = await suggest('numb3r');
    expect(terms[0]).toMatchObject({ term: 'number', fuzzy: true });
    const firstFuzzy = terms.findIndex(({ fuzzy }) => fuzzy);
    expect(terms.slice(firstFuzzy).every(({ fuzzy }) => fuzzy)).toBe(true);
    expect((await suggest('nmb')).terms).toEqual([]);
  });

  sentence(101, async () => {
    for (const emoji of ['🐱', '🐈', '🐈️']) expect((await suggest(emoji)).terms[0]?.term, emoji).toBe('cat');
    expect((await suggest('🐋')).terms[0]?.term).toBe('whale');
    expect((await suggest('🚀')).terms.map(({ term }) => term)).toContain('🚀');
    for (const thumb of ['👍', '👍🏽', '👍🏿']) expect((await suggest(thumb)).terms[0]?.term, thumb).toBe('thumbs up');
  });
});

describe('Limits', () => {
  sentence(157, async () => {
    expect((await suggest('t')).terms).toHaveLength(8);
    expect((await suggest('t', '&limit=20')).terms).toHaveLength(20);
    expect(await status('q=t&limit=20')).toBe(200);
    expect(await status('q=t&limit=21')).toBe(400);
  });

  sentence(160, async () => {
    expect((await suggest('cta')).terms).toEqual([]);
    expect((await suggest('catt')).terms[0]).toMatchObject({ term: 'cat', fuzzy: true });
  });
});
