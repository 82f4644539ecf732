import { describe, expect } from 'vitest';
import { sentence } from './sentence.ts';
import { serveCatalogue } from './service.ts';

const service = serveCatalogue();

async function status(params: string): Promise<number> {
  return (await service.get(`/api/v1/gifs/dog.gif/similar?${params}`)).status;
}

describe('GET /api/v1/gifs/{id}/similar', () => {
  sentence(107, async () => {
    const { required, schema } = await service.parameter('similar', 'safe');
    expect(required).toBe(false);
    expect(schema).toMatchObject({ default: '1', anyOf: [{ const: '0' }, { const: '1' }] });
    expect(await status('safe=1')).toBe(await status(''));
    expect(await status('safe=0')).toBe(403);
    expect(await status('safe=2')).toBe(400);
  });
});
