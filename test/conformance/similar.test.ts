import { Gif, SimilarResponse } from '@zoetrope/contract';
import Value from 'typebox/value';
import { describe, expect } from 'vitest';
import { DEVELOPMENT } from '../support/server.ts';
import { LONGEST_ID } from './catalogue.ts';
import { sentence } from './sentence.ts';
import { useCatalogue } from './service.ts';

const service = useCatalogue();

const pathOf = (id: string, params = '') => `/api/v1/gifs/${id}/similar?${params}`;

async function similar(id: string, params = ''): Promise<SimilarResponse> {
  const response = await service.get(pathOf(id, params));
  expect(response.status, id).toBe(200);
  return (await response.json()) as SimilarResponse;
}

/** Returns the id of the GIF with the given title. */
async function idOf(title: string): Promise<string> {
  const { items } = await service.search(`mode=text&limit=200&q=${encodeURIComponent(title)}`);
  return items.find((item) => item.title === title)!.id;
}

const titles = ({ items }: SimilarResponse) => items.map(({ title }) => title);

async function status(params: string): Promise<number> {
  return (await service.get(pathOf('dog.gif', params))).status;
}

describe('Similar response', () => {
  sentence(66, async () => {
    const { build } = await service.search('q=cat');
    expect((await similar('dog.gif')).build).toBe(build);
  });

  sentence(67, async () => {
    const { gen } = await service.search('q=cat');
    expect((await similar('dog.gif')).gen).toBe(gen);
  });

  sentence(68, async () => {
    const { items } = await similar('dog.gif', 'limit=50');
    expect(items).toHaveLength(50);
    for (const item of items) expect([...Value.Errors(Gif, item)]).toEqual([]);
    for (const limit of [1, 7, 24]) {
      const nearest = await similar('dog.gif', `limit=${limit}`);
      expect(nearest.items, 'a shorter list is the beginning of a longer one').toEqual(items.slice(0, limit));
    }
  });
});

describe('GET /api/v1/gifs/{id}/similar', () => {
  sentence(103, async () => {
    // No other GIF has the word `ship` or `likeness`, or similar pictures.
    expect(titles(await similar(await idOf('ship'))).slice(0, 2)).toEqual(['little ship', 'leaving ship']);
    expect(
      titles(await similar(await idOf('leaving ship')))
        .slice(0, 2)
        .sort(),
    ).toEqual(['little ship', 'ship']);
    for (const title of ['ship', 'mouse', 'elephant', 'wolf', 'whale']) {
      const found = titles(await similar(await idOf(title), 'limit=50'));
      expect(found.length, title).toBeGreaterThan(1);
      expect(found, 'a GIF is not similar to itself').not.toContain(title);
    }
    const near = await similar('gif-7.gif', 'limit=50');
    expect(near.items.map(({ id }) => id)).not.toContain('adult.gif');
  });

  sentence(104, async () => {
    for (const id of ['dog.gif', 'unknown.gif', await idOf('ship')]) {
      const response = await service.get(pathOf(id));
      expect(response.status).toBe(200);
      expect([...Value.Errors(SimilarResponse, await response.json())], id).toEqual([]);
    }
  });

  sentence(105, async () => {
    expect(await service.parameter('similar', 'id')).toMatchObject({
      in: 'path',
      required: true,
      schema: { type: 'string', pattern: '^\\w[\\w.-]{0,199}$' },
    });
    const { items } = await service.search('q=cat&limit=5');
    for (const { id } of items) expect((await service.get(pathOf(id))).status, id).toBe(200);
    expect((await service.get(pathOf(LONGEST_ID))).status).toBe(200);
    for (const id of [`x${LONGEST_ID}`, '.gif', '-dog.gif', 'dog%20.gif', 'd%C3%B6g.gif', 'dog.gif%00', 'a%2Fb']) {
      expect(await service.fail(pathOf(id)), id).toMatchObject({ status: 400, message: expect.stringMatching(/^id /) });
    }
  });

  sentence(106, async () => {
    const { required, schema } = await service.parameter('similar', 'limit');
    expect(required).toBe(false);
    expect(schema).toMatchObject({ type: 'integer', default: 24, minimum: 1, maximum: 50 });
    expect((await similar('dog.gif')).items).toHaveLength(24);
    for (const limit of ['0', '51', '1.5', 'many', '']) expect(await status(`limit=${limit}`), limit).toBe(400);
  });

  sentence(107, async () => {
    const { required, schema } = await service.parameter('similar', 'safe');
    expect(required).toBe(false);
    expect(schema).toMatchObject({ default: '1', anyOf: [{ const: '0' }, { const: '1' }] });
    expect(await status('safe=1')).toBe(200);
    expect(await status('safe=0')).toBe(403);
    expect(await status('safe=2')).toBe(400);
  });
});

describe('Errors', () => {
  sentence(145, async () => {
    const found = await service.get(pathOf('dog.gif'));
    // The response for an adult GIF is the same as for an unknown id.
    for (const id of ['nobody.gif', 'adult.gif']) {
      expect(await service.fail(pathOf(id))).toMatchObject({ status: 404, code: 'not_found' });
      const response = await service.get(pathOf(id));
      for (const name of ['cache-control', 'vary']) expect(response.headers.get(name)).toBe(found.headers.get(name));
      expect(response.headers.get('etag')).toBeTruthy();
      expect((await service.get(pathOf(id), DEVELOPMENT)).headers.get('etag')).toBe(response.headers.get('etag'));
    }
    expect(found.headers.get('cache-control')).toBe('private, max-age=60');
  });
});

describe('Limits', () => {
  sentence(158, async () => {
    expect((await similar('dog.gif')).items).toHaveLength(24);
    expect((await similar('dog.gif', 'limit=1')).items).toHaveLength(1);
    expect((await similar('dog.gif', 'limit=50')).items).toHaveLength(50);
    expect(await status('limit=0')).toBe(400);
    expect(await status('limit=51')).toBe(400);
  });
});
