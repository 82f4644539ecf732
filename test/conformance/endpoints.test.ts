import { OPERATIONS } from '@zoetrope/contract';
import { describe, expect } from 'vitest';
import { freePort } from '../support/server.ts';
import { sentence } from './sentence.ts';
import { OPERATION_PATHS, serveCatalogue } from './service.ts';

// The service listens on 127.0.0.1, but its public URL has another host name.
const port = await freePort();
const BASE = `http://localhost:${port}`;
const service = serveCatalogue({ ZOETROPE_PORT: String(port), ZOETROPE_PUBLIC_URL: BASE });

describe('Endpoints', () => {
  sentence(73, async () => {
    const { paths } = await service.description();
    expect(Object.keys(paths)).toHaveLength(3);
    for (const methods of Object.values(paths)) {
      expect(Object.keys(methods)).toEqual(['get']);
      const { parameters, responses } = methods['get']!;
      expect(parameters.map(({ name }) => name)).toContain('safe');
      for (const answer of Object.values(responses)) expect(answer).toHaveProperty(['content', 'application/json']);
    }
    for (const path of OPERATION_PATHS) {
      const response = await service.get(`${path}${path.includes('?') ? '&' : '?'}safe=1`);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(response.status).not.toBe(400);
    }
  });

  sentence(74, async () => {
    expect((await service.description()).servers).toEqual([{ url: BASE }]);
    const { url, previews } = await service.gif('mouse');
    for (const address of [url, ...Object.values(previews).flatMap(({ animated, still }) => [animated!, still])]) {
      expect(address.startsWith(`${BASE}/`), address).toBe(true);
      expect((await service.get(address.slice(BASE.length), {})).status, address).toBe(200);
    }
  });

  sentence(75, async () => {
    const response = await service.get('/api/v1/openapi.json', {});
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const { openapi, paths } = (await response.json()) as { openapi: string; paths: object };
    expect(openapi).toMatch(/^3\.1\.\d+$/);
    expect(Object.keys(paths)).toEqual(Object.values(OPERATIONS).map(({ path }) => path));
  });

  sentence(76, async () => {
    for (const operation of ['search', 'suggest', 'similar'] as const) {
      const { required, schema } = await service.parameter(operation, 'safe');
      expect(required).toBe(false);
      expect(schema).toMatchObject({ default: '1', anyOf: [{ const: '0' }, { const: '1' }] });
    }
    for (const path of OPERATION_PATHS) {
      const refused = await service.fail(`${path}${path.includes('?') ? '&' : '?'}safe=2`);
      expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('safe') });
    }
    expect(await service.search('q=cat&safe=1')).toEqual(await service.search('q=cat'));
  });

  sentence(77, async () => {
    const { items } = await service.search('q=cat&limit=200&safe=1');
    expect(items.map(({ id }) => id)).not.toContain('adult.gif');
    expect(await service.search('q=forbidden&mode=text&safe=1')).toMatchObject({ count: 0, items: [] });
    expect((await service.get('/p/r1/w240/adult.gif', {})).status).toBe(404);
  });

  sentence(78, async () => {
    for (const path of OPERATION_PATHS) {
      const refused = await service.fail(`${path}${path.includes('?') ? '&' : '?'}safe=0`);
      expect(refused).toMatchObject({ status: 403, code: 'adult_not_allowed' });
      expect((await service.get(path)).status).not.toBe(403);
    }
  });

  sentence(79, async () => {
    for (const q of ['very funny', 'café', '猫が', 'สวัสดี', 'привет', 'مرحبا', '🚀', 'café 🚀']) {
      const answer = await service.search(`mode=text&q=${encodeURIComponent(q)}`);
      expect(answer.q).toBe(q);
      expect(answer.items[0]?.id).toBe(q === 'very funny' ? 'dog.gif' : 'words.gif');
    }
    expect(await service.search('mode=text&q=very+funny')).toEqual(await service.search('mode=text&q=very%20funny'));
  });
});
