import { SearchResponse } from '@zoetrope/contract';
import Value from 'typebox/value';
import { describe, expect } from 'vitest';
import { sentence } from './sentence.ts';
import { useCatalogue } from './service.ts';

const service = useCatalogue();

/** Returns the ids of the GIFs that a text search finds. */
async function ids(q: string): Promise<string[]> {
  return (await service.search(`mode=text&q=${encodeURIComponent(q)}`)).items.map(({ id }) => id);
}

async function status(params: string): Promise<number> {
  return (await service.get(`/api/v1/search?${params}`)).status;
}

describe('GET /api/v1/search', () => {
  sentence(80, async () => {
    const { paths } = await service.description();
    const search = paths['/api/v1/search']!['get']!;
    expect(search).not.toHaveProperty('requestBody');
    expect(new Set(search.parameters.map((parameter) => parameter.in))).toEqual(new Set(['query']));
    expect(await ids('dog')).toEqual(['dog.gif']);
  });

  sentence(81, async () => {
    const response = await service.get('/api/v1/search?q=cat');
    expect(response.status).toBe(200);
    expect([...Value.Errors(SearchResponse, await response.json())]).toEqual([]);
  });

  sentence(82, async () => {
    expect(await service.parameter('search', 'q')).toMatchObject({
      required: true,
      schema: { type: 'string', minLength: 1, maxLength: 500 },
    });
    expect(await status('')).toBe(400);
    expect(await status('q=')).toBe(400);
    expect(await status(`q=${'a'.repeat(500)}`)).toBe(200);
    expect(await status(`q=${'a'.repeat(501)}`)).toBe(400);
    // A character is a code point, however many bytes it takes.
    expect(await status(`q=${encodeURIComponent('🚀'.repeat(500))}`)).toBe(200);
    expect(await status(`q=${encodeURIComponent('🚀'.repeat(501))}`)).toBe(400);
    // GIFs that contain the word itself come before GIFs with the word's meaning.
    for (const q of ['Über', '猫', 'สวัสดี', 'ПРИВЕТ', 'مرحبا', '🚀', 'müde 🚀']) {
      expect((await ids(q))[0], q).toBe('words.gif');
    }
    for (const q of ['Hund', 'perro', 'собака', '犬', 'สุนัข', 'كلب', '🐶', 'Hund 🐶']) {
      expect(await ids(q), q).toEqual(['dog.gif']);
    }
  });

  sentence(84, async () => {
    expect(await ids('dog chases tail')).toEqual(['dog.gif']);
    // GIFs with a word that only starts with a query word ("tailword") come last.
    expect(await ids('tail')).toEqual(['dog.gif', 'long.gif']);
    for (const q of [
      '"dog" chases, tail!',
      'dog* -chases +tail',
      'title:(dog) ^chases~2 [tail]',
      "dog; chases' tail--",
    ]) {
      expect(await ids(q).then(([first]) => first), q).toBe('dog.gif');
    }
    expect(await ids('dog*')).toEqual(await ids('dog'));
    expect(await ids('-dog')).toEqual(await ids('dog'));
    expect(await ids('"!?*()')).toEqual([]);
  });

  sentence(85, async () => {
    expect(await ids(`${'!'.repeat(97)}dog`)).toEqual(['dog.gif']);
    expect(await ids(`${'!'.repeat(100)}dog`)).toEqual([]);
    const { q, items } = await service.search(`mode=text&q=${'a'.repeat(100)}+tailword`);
    expect(q).toBe('a'.repeat(100));
    expect(items.map(({ id }) => id)).toEqual(['long.gif']);
    expect(await ids(`${'b'.repeat(99)} tailword`)).toEqual([]);
  });

  sentence(86, async () => {
    expect(await service.parameter('search', 'limit')).toMatchObject({
      required: false,
      schema: { type: 'integer', default: 24, minimum: 1, maximum: 200 },
    });
    expect((await service.search('q=cat')).items).toHaveLength(24);
    for (const limit of [1, 24, 77, 200]) {
      expect((await service.search(`q=cat&limit=${limit}`)).items).toHaveLength(limit);
    }
    for (const limit of ['0', '201', '-1', '1.5', 'ten', '', '1e2'])
      expect(await status(`q=cat&limit=${limit}`)).toBe(400);
  });

  sentence(87, async () => {
    expect(await service.parameter('search', 'offset')).toMatchObject({
      required: false,
      schema: { default: 0, anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
    });
    const first = await service.search('q=cat');
    for (const none of ['0', '', 'null']) expect(await service.search(`q=cat&offset=${none}`)).toEqual(first);
    expect((await service.search('q=cat&offset=190')).items).toHaveLength(10);
    for (const offset of ['200', '201', '99999999999999999999']) {
      expect((await service.search(`q=cat&offset=${offset}`)).items).toEqual([]);
    }
    for (const offset of ['-1', '0.5', 'two']) expect(await status(`q=cat&offset=${offset}`)).toBe(400);
  });

  sentence(89, async () => {
    const { required, schema } = await service.parameter('search', 'safe');
    expect(required).toBe(false);
    expect(schema).toMatchObject({ default: '1', anyOf: [{ const: '0' }, { const: '1' }] });
    expect(await status('q=cat&safe=1')).toBe(200);
    expect(await status('q=cat&safe=0')).toBe(403);
    expect(await status('q=cat&safe=true')).toBe(400);
  });

  sentence(90, async () => {
    const seen = new Set<string>();
    for (let offset = 0; offset < 400; offset += 50) {
      const { count, items } = await service.search(`q=cat&limit=50&offset=${offset}`);
      expect(count).toBe(200);
      for (const { id } of items) seen.add(id);
    }
    expect(seen.size).toBe(200);
  });

  sentence(91, async () => {
    for (const [q, limit, pages] of [
      ['cat', 60, [60, 60, 60, 20]],
      ['cat', 50, [50, 50, 50, 50, 0]],
      ['zoo', 4, [4, 2]],
    ] as const) {
      const lengths: number[] = [];
      do {
        const { items } = await service.search(`q=${q}&mode=text&limit=${limit}&offset=${lengths.length * limit}`);
        lengths.push(items.length);
      } while (lengths.at(-1) === limit);
      expect(lengths).toEqual(pages);
    }
  });

  sentence(92, async () => {
    for (const q of ['cat', '🚀', 'nowhere']) {
      const { semantic } = await service.search(`mode=text&q=${encodeURIComponent(q)}`);
      expect(semantic).toBe(false);
    }
  });
});
