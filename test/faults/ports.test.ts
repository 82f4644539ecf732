import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort, outcome, spawnZoetrope, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/* Two services on one machine with the same port in their settings. */

const folder = temporaryFolder();
const at = (name: string) => path.join(folder.path, name);
const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_THREADS: '2' };

afterAll(() => folder[Symbol.dispose]());

test('the second service reports which port is in use, for each of its listeners', async () => {
  const edge = String(await freePort());
  await using server = await startServer(at('one'), { ...ENV, ZOETROPE_EDGE_PORT: edge });
  const { port } = new URL(server.url);
  const places = [
    { env: { ZOETROPE_PORT: port }, taken: port },
    { env: { ZOETROPE_PORT: port, ZOETROPE_HOST: '0.0.0.0' }, taken: port },
    { env: { ZOETROPE_EDGE_PORT: edge }, taken: edge },
    { env: { ZOETROPE_PORT: edge }, taken: edge },
  ];
  for (const { env, taken } of places) {
    const { code, stderr } = await zoetrope(at('two'), ['serve'], { ...ENV, ...env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`Port ${taken} is in use`) });
  }
  expect((await server.get('/healthz')).status).toBe(200);
});

test('if two services start at the same moment, only one of them keeps running', async () => {
  const port = String(await freePort());
  const services = ['one', 'two'].map((name) => spawnZoetrope(at(name), ['serve'], { ...ENV, ZOETROPE_PORT: port }));
  const ends = services.map(async (service) => ({ service, ...(await outcome(service)) }));
  const refused = await Promise.race(ends);
  expect(refused.stderr).toContain(`Port ${port} is in use`);
  expect(refused.code).toBe(1);
  const other = services.find((service) => service !== refused.service)!;
  expect(other.exitCode).toBeNull();
  other.kill('SIGTERM');
  await Promise.all(ends);
});
