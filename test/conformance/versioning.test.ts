import { writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { smallGif } from '../support/catalogue.ts';
import { sentence } from './sentence.ts';
import { OPERATION_PATHS, serveCatalogue } from './service.ts';

const service = serveCatalogue();
/** Maximum time in which the service loads a new build. */
const SOON = { timeout: 480_000 };

async function versions(): Promise<{ build: string; gen: number }[]> {
  const answers = await Promise.all(OPERATION_PATHS.map((path) => service.get(path)));
  const bodies = await Promise.all(answers.map((answer) => answer.json()));
  return bodies.map(({ build, gen }) => ({ build, gen }));
}

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

  sentence(169, async () => {
    const first = await versions();
    expect(first).toEqual(Array(3).fill({ build: expect.stringMatching(/^\w+$/), gen: expect.any(Number) }));
    expect(new Set(first.map(({ build, gen }) => `${build} ${gen}`)).size).toBe(1);
    writeFileSync(`${service.folder.path}/added.gif`, smallGif(11));
    const build = await service.add(`${service.folder.path}/added.gif`);
    expect(build).not.toBe(first[0]!.build);
    await expect.poll(async () => (await versions()).map((now) => now.build), SOON).toEqual(Array(3).fill(build));
  });
});
