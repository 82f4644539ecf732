import { writeFileSync } from 'node:fs';
import { SearchResponse } from '@zoetrope/contract';
import Value from 'typebox/value';
import { describe, expect } from 'vitest';
import { smallGif } from '../support/catalogue.ts';
import { zoetrope } from '../support/server.ts';
import { CATS } from './catalogue.ts';
import { sentence } from './sentence.ts';
import { serveCatalogue } from './service.ts';

const service = serveCatalogue();

describe('Search response', () => {
  sentence(49, async () => {
    const { build } = await service.search('q=cat');
    expect(build).toMatch(/^\w+$/);
    expect((await service.search('q=cat&offset=24')).build).toBe(build);
    expect((await service.search('q=dog')).build).toBe(build);
  });

  sentence(51, async () => {
    const { gen, ...rest } = await service.search('q=tail+dog&mode=text');
    expect(Number.isSafeInteger(gen)).toBe(true);
    await zoetrope(service.data, ['gif', 'hide', 'unknown.gif']);
    await expect
      .poll(async () => (await service.search('q=tail+dog&mode=text')).gen, { timeout: 480_000 })
      .toBeGreaterThan(gen);
    // The generation is only informational. The same build gives the same response.
    expect(await service.search('q=tail+dog&mode=text')).toEqual({ ...rest, gen: expect.any(Number) });
  });

  sentence(52, async () => {
    expect((await service.search(`q=${encodeURIComponent('  ＣＡＴ \t Number\u00a07 ')}`)).q).toBe('cat number 7');
    expect((await service.search(`q=${encodeURIComponent('MÜDE')}`)).q).toBe('müde');
  });

  sentence(54, async () => {
    expect(CATS).toBeGreaterThan(200);
    expect(await service.search('q=cat')).toMatchObject({ count: 200, items: { length: 24 } });
    expect(await service.search('q=zoo&mode=text&limit=2')).toMatchObject({ count: 6, items: { length: 2 } });
    expect(await service.search('q=nowhere&mode=text')).toMatchObject({ count: 0, items: [] });
  });

  sentence(55, async () => {
    for (const offset of [0, 1, 199, 200, 12_345]) {
      expect((await service.search(`q=cat&offset=${offset}`)).offset).toBe(offset);
    }
  });

  sentence(56, async () => {
    for (const limit of [1, 24, 200]) expect((await service.search(`q=cat&limit=${limit}`)).limit).toBe(limit);
  });

  sentence(57, async () => {
    const whole = await service.search('q=cat&limit=200');
    expect([...Value.Errors(SearchResponse, whole)]).toEqual([]);
    expect(Object.keys(whole)).toEqual(SearchResponse.required);
    expect(whole.items).toHaveLength(200);
    for (const [offset, length] of [
      [0, 30],
      [170, 30],
      [190, 10],
      [200, 0],
    ]) {
      const { items } = await service.search(`q=cat&limit=30&offset=${offset}`);
      expect(items).toEqual(whole.items.slice(offset, offset! + length!));
    }
  });

  sentence(50, async () => {
    const first = await service.search('q=zoo&mode=text&limit=4');
    writeFileSync(`${service.folder.path}/gifs/zoo/whale zoo.gif`, smallGif(1));
    const build = await service.add(`${service.folder.path}/gifs`);
    const next = () => service.search('q=zoo&mode=text&limit=4&offset=4');
    expect(build).not.toBe(first.build);
    await expect.poll(async () => (await next()).build, { timeout: 480_000 }).toBe(build);
    const again = await service.search('q=zoo&mode=text&limit=4');
    const rest = await next();
    expect([again.build, rest.build]).toEqual([build, build]);
    const titles = [...again.items, ...rest.items].map(({ title }) => title);
    expect(new Set(titles).size).toBe(7);
    expect(titles).toContain('whale zoo');
  });
});
