import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import { smallGif } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { describeEdge } from './behind.ts';
import { startVarnish } from './processes.ts';

describeEdge('varnish', parts.varnish, startVarnish, (behind) => {
  const ORIGIN = { origin: 'https://app.example' };
  const patience = { timeout: 480_000, interval: 50 };
  const purge = (method: string, key: string) =>
    fetch(behind.edge.purgeUrl!, { method, headers: { 'surrogate-key': key } });
  const ask = async (address: string) => (await behind.get(address, ORIGIN)).json() as Promise<{ build: string }>;

  test('a replaced build is served once more while it is refreshed', async () => {
    const address = '/api/v1/search?mode=text&q=purged';
    const { build } = await ask(address);
    behind.recorder.take();
    expect(await (await purge('SOFTPURGE', 'build-other')).json()).toEqual({ purged: 0 });
    await ask(address);
    expect(behind.through()).toEqual([]);
    expect((await (await purge('SOFTPURGE', `build-${build}`)).json()).purged).toBeGreaterThan(0);
    expect(await ask(address)).toMatchObject({ build });
    const noted = () => {
      const taken = behind.recorder.take();
      return taken.length > 0 && taken;
    };
    const [asked] = await vi.waitUntil(noted, patience);
    expect(asked!.url).toBe('/api/v1/search?mode=text&q=purged');
    expect(asked!.headers['if-none-match']).toMatch(/^(W\/)?"/);
    await ask(address);
    expect(behind.through()).toEqual([]);
  });

  test('responses can be purged by build, by GIF, or all at once', async () => {
    const search = '/api/v1/search?mode=text&q=purged';
    const missing = '/api/v1/gifs/purged.gif/similar';
    const { build } = await ask(search);
    for (const [key, gone] of [
      [`build-${build}`, [search, missing]],
      ['search', [search]],
      ['gif-purged.gif', [missing]],
    ] as const) {
      for (const address of [search, missing]) await ask(address);
      behind.recorder.take();
      await purge('PURGE', key);
      for (const address of [search, missing]) await ask(address);
      expect(behind.through().toSorted(), key).toEqual([...gone].toSorted());
    }
  });

  test('the order of parameters does not matter', async () => {
    await ask('/api/v1/search?mode=text&q=order');
    behind.recorder.take();
    await ask('/api/v1/search?q=order&mode=text');
    expect(behind.through()).toEqual([]);
  });

  test('changes in the service are visible soon', async () => {
    const address = '/api/v1/search?mode=text&q=cat';
    const found = async () => ((await ask(address)) as unknown as { items: { id: string; url: string }[] }).items;
    const [{ id, url }] = (await found()) as [{ id: string; url: string }];
    const image = async () => (await behind.get(new URL(url).pathname, {})).status;
    expect(await image()).toBe(200);
    await behind.command('gif', 'hide', id);
    await vi.waitUntil(async () => (await found()).length === 0, patience);
    await vi.waitUntil(async () => (await image()) === 404, patience);
    await behind.command('gif', 'show', id);
    await vi.waitUntil(async () => (await found()).length === 1, patience);
    await vi.waitUntil(async () => (await image()) === 200, patience);
    const { build } = await ask(address);
    const another = `${behind.folder.path}/another-cat.gif`;
    fs.writeFileSync(another, smallGif(7, 40));
    await behind.command('add', '--quiet', another);
    await vi.waitUntil(async () => (await ask(address)).build !== build, patience);
    expect(await found()).toHaveLength(2);
  });

  test.each(['/_admit', '/%5fadmit', '/%5Fadmit', '/_%61dmit?a=b', '/%61pi/v1/search?q=cat'])(
    'the path %s does not reach the service',
    async (path) => {
      behind.recorder.take();
      expect((await behind.get(path, ORIGIN)).status).toBe(404);
      expect(behind.through()).toEqual([]);
    },
  );

  test('nobody can purge from outside', async () => {
    for (const method of ['PURGE', 'SOFTPURGE']) {
      const response = await behind.get('/', { 'surrogate-key': 'search' }, method);
      expect([400, 405]).toContain(response.status);
    }
    expect((await fetch(behind.edge.purgeUrl!)).status).toBe(404);
  });
});
