import { describe, expect } from 'vitest';
import { sentence } from './sentence.ts';
import { serveCatalogue } from './service.ts';

const service = serveCatalogue();

async function status(params: string): Promise<number> {
  return (await service.get(`/api/v1/suggest?${params}`)).status;
}

describe('GET /api/v1/suggest', () => {
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
});
