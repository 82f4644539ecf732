import { expect, test, vi } from 'vitest';
import { Loaded } from './loaded.ts';

// The app's modules read the URL of the service from the page when they are loaded.
vi.hoisted(() => vi.stubGlobal('document', { documentElement: { dataset: {} }, createTreeWalker: () => ({}) }));

const host = { addController: () => {}, requestUpdate: vi.fn() } as never;

test('of several requests, the latest wins, whichever response arrives last', async () => {
  const requests = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  const load = vi.fn<() => Promise<string>>();
  for (const { promise } of requests) load.mockReturnValueOnce(promise);
  const loaded = new Loaded(host, load);
  const loading = [loaded.reload(), loaded.reload()];
  requests[1].resolve('reported');
  await loading[1];
  expect(loaded.value).toBe('reported');
  requests[0].resolve('hidden');
  await loading[0];
  expect(loaded.value).toBe('reported');
});

test('a value from another response is newer than a request that still runs', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const loaded = new Loaded(host, () => promise);
  const loading = loaded.reload();
  loaded.set('changed');
  resolve('as before');
  await loading;
  expect(loaded.value).toBe('changed');
});
