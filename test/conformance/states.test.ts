import { writeFileSync } from 'node:fs';
import { Gif } from '@zoetrope/contract';
import { describe, expect } from 'vitest';
import { smallGif } from '../support/catalogue.ts';
import { DEVELOPMENT } from '../support/server.ts';
import { sentence } from './sentence.ts';
import { OPERATION_PATHS, serveCatalogue } from './service.ts';

const service = serveCatalogue();

describe('States and transitions', () => {
  sentence(70, async () => {
    expect(Object.keys(await service.gif('mouse'))).toEqual(Object.keys(Gif.properties));
    const before = await service.search('q=cat');
    for (const path of OPERATION_PATHS) await service.get(path);
    expect(await service.search('q=cat')).toEqual(before);
  });
});

describe('Events', () => {
  sentence(139, async () => {
    const description = await service.description();
    expect(description).not.toHaveProperty('webhooks');
    for (const methods of Object.values(description.paths)) expect(methods['get']).not.toHaveProperty('callbacks');
    for (const path of OPERATION_PATHS) {
      const response = await service.get(path, { ...DEVELOPMENT, accept: 'text/event-stream' });
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  sentence(140, async () => {
    const first = await service.get('/api/v1/search?mode=text&q=newcomer');
    expect(await first.json()).toMatchObject({ count: 0 });
    const known = { ...DEVELOPMENT, 'if-none-match': first.headers.get('etag')! };
    expect((await service.get('/api/v1/search?mode=text&q=newcomer', known)).status).toBe(304);
    writeFileSync(`${service.folder.path}/newcomer.gif`, smallGif(5));
    await service.add(`${service.folder.path}/newcomer.gif`);
    const poll = async () => (await service.get('/api/v1/search?mode=text&q=newcomer', known)).status;
    await expect.poll(poll, { timeout: 480_000 }).toBe(200);
    expect(await service.gif('newcomer')).toMatchObject({ title: 'newcomer' });
  });
});
