import { ID_PATTERN } from '@zoetrope/contract';
import { describe, expect } from 'vitest';
import { LONGEST_ID } from './catalogue.ts';
import { sentence } from './sentence.ts';
import { useCatalogue } from './service.ts';

const service = useCatalogue();

async function status(params: string): Promise<number> {
  return (await service.get(`/api/v1/search?${params}`)).status;
}

describe('Limits', () => {
  sentence(153, async () => {
    for (const [length, expected] of [
      [0, 400],
      [1, 200],
      [500, 200],
      [501, 400],
    ] as const) {
      expect(await status(`q=${'b'.repeat(length)}`), `${length} characters`).toBe(expected);
    }
    expect((await service.search(`q=${'b'.repeat(500)}`)).q).toBe('b'.repeat(100));
  });

  sentence(154, async () => {
    expect((await service.search('q=cat')).limit).toBe(24);
    expect((await service.search('q=cat&limit=1')).items).toHaveLength(1);
    expect((await service.search('q=cat&limit=200')).items).toHaveLength(200);
    expect(await status('q=cat&limit=0')).toBe(400);
    expect(await status('q=cat&limit=201')).toBe(400);
  });

  sentence(155, async () => {
    expect((await service.search('q=cat')).offset).toBe(0);
    expect(await status('q=cat&offset=0')).toBe(200);
    expect(await status('q=cat&offset=-1')).toBe(400);
  });

  sentence(156, async () => {
    expect((await service.search('q=cat')).count).toBe(200);
    expect((await service.search('q=cat&offset=200')).items).toEqual([]);
  });

  sentence(159, async () => {
    expect(LONGEST_ID).toHaveLength(200);
    expect((await service.gif('longest')).id).toBe(LONGEST_ID);
    const { id, previews } = await service.gif('overlong');
    expect(id).toMatch(/^[0-9a-f]{64}\.gif$/);
    expect(previews.w240.still).toContain(id.slice(0, 64));
    expect((await service.parameter('similar', 'id')).schema).toMatchObject({ pattern: ID_PATTERN });
    for (const [length, expected] of [
      [0, false],
      [1, true],
      [200, true],
      [201, false],
    ] as const) {
      expect(new RegExp(ID_PATTERN).test('a'.repeat(length)), `${length} characters`).toBe(expected);
    }
  });
});
