import { describe, expect } from 'vitest';
import { sentence } from './sentence.ts';
import { OPERATION_PATHS, serveCatalogue } from './service.ts';

const service = serveCatalogue();

describe('Versioning', () => {
  sentence(167, async () => {
    const { paths } = await service.description();
    for (const path of Object.keys(paths)) expect(path).toMatch(/^\/api\/v1\//);
    for (const path of OPERATION_PATHS) {
      expect((await service.get(path)).status).not.toBe(404);
      expect((await service.get(path.replace('/api/v1/', '/api/'))).status).toBe(404);
      expect((await service.get(path.replace('/api/v1/', '/api/v2/'))).status).toBe(404);
    }
  });

  sentence(168, async () => {
    const { openapi, info } = await service.description();
    expect(openapi).toMatch(/^3\.1\./);
    expect(info.version).toBe('1.0.0');
  });
});
