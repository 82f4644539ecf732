import { describe, expect } from 'vitest';
import { DEVELOPMENT } from '../support/server.ts';
import { sentence } from './sentence.ts';
import { OPERATION_PATHS, readFailure, serveCatalogue } from './service.ts';

// The service has no embedder, because a semantic search without an embedder is one of the tested errors.
const service = serveCatalogue({ ZOETROPE_EMBEDDER: 'none' });

describe('Error body', () => {
  sentence(69, async () => {
    const { required, properties } = (await service.description()).components.schemas['Error']!;
    expect(required).toEqual(['error']);
    expect(properties['error']).toMatchObject({
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    });
    const response = await service.get('/api/v1/search');
    expect(await response.json()).toEqual({ error: { code: 'validation', message: 'q is missing' } });
  });
});

describe('Errors', () => {
  // `fail` checks that each response has an Error body.
  sentence(141, async () => {
    const { url } = await service.gif('mouse');
    const failures = [
      await service.fail('/api/v1/search'),
      await service.fail('/api/v1/search?q=dog', {}),
      await service.fail('/api/v1/search?q=dog&safe=0'),
      await service.fail('/api/v1/search?q=dog&mode=semantic'),
      await service.fail('/api/v1/nothing'),
      await service.fail('/nothing', {}),
      await service.fail('/m/nothing', {}),
      await service.fail('/p/r1/w240/nothing.gif', {}),
      await service.fail(url.slice(service.url.length), { range: 'bytes=1000000-' }),
      await readFailure(await fetch(`${service.url}/api/v1/search`, { method: 'POST', headers: DEVELOPMENT })),
    ];
    expect(failures.map(({ status }) => status)).toEqual([400, 403, 403, 503, 404, 404, 404, 404, 416, 405]);
  });

  sentence(142, async () => {
    for (const [path, field] of [
      ['search', 'q'],
      ['search?q=', 'q'],
      [`search?q=${'a'.repeat(501)}`, 'q'],
      ['search?q=cat&q=dog', 'q'],
      ['search?q=cat&limit=0', 'limit'],
      ['search?q=cat&limit=201', 'limit'],
      ['search?q=cat&offset=-1', 'offset'],
      ['search?q=cat&mode=best', 'mode'],
      ['search?q=cat&safe=2', 'safe'],
      ['suggest', 'q'],
      ['suggest?q=cat&limit=21', 'limit'],
      ['suggest?q=cat&limit=0', 'limit'],
      ['gifs/dog.gif/similar?limit=51', 'limit'],
      ['gifs/dog.gif/similar?limit=0', 'limit'],
      ['gifs/dog.gif/similar?safe=no', 'safe'],
    ] as const) {
      const { status, message } = await service.fail(`/api/v1/${path}`);
      expect(status, path).toBe(400);
      expect(message.startsWith(`${field} `), message).toBe(true);
    }
  });

  sentence(143, async () => {
    for (const path of OPERATION_PATHS) {
      expect(await service.fail(path, {})).toMatchObject({ status: 403, code: 'client_not_registered' });
    }
  });

  sentence(144, async () => {
    for (const path of OPERATION_PATHS) {
      const refused = await service.fail(`${path}${path.includes('?') ? '&' : '?'}safe=0`);
      expect(refused).toMatchObject({ status: 403, code: 'adult_not_allowed' });
    }
  });

  sentence(148, async () => {
    const response = await service.get('/api/v1/search?q=dog&mode=semantic');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await readFailure(response)).toMatchObject({
      status: 503,
      message: expect.stringContaining('mode=semantic'),
    });
    for (const mode of ['auto', 'text']) expect((await service.search(`q=dog&mode=${mode}`)).count).toBe(1);
  });

  sentence(149, async () => {
    const { paths } = await service.description();
    for (const methods of Object.values(paths)) {
      expect(methods['get']!.responses['503']).toMatchObject({
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      });
    }
    expect((await service.fail('/api/v1/search?q=dog&mode=semantic')).code).toBe('embedder_unavailable');
  });
});
