import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { renameGif } from '../../packages/server/src/catalog/rename.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { writeTwo } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_ROBOTS: 'index' };
const SOON = { timeout: 480_000 };
const folder = temporaryFolder();
const data = `${folder.path}/data`;
let server: Server;
let gifs: { id: string; title: string }[];

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeTwo);
  server = await startServer(data, ENV);
  ({ items: gifs } = (await (await server.get('/api/v1/search?q=cat')).json()) as { items: typeof gifs });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
/** The path of a GIF's page. It has no ending, so that apps do not treat it as an image. */
const pathOf = (id: string) => `/g/${id.replace(/\.gif$/, '')}`;
const embed = (query: string) => fetch(`${server.url}/oembed?${query}`);

test('each GIF has a page, and a description for other services', async () => {
  const [{ id, title }] = gifs as [(typeof gifs)[0]];
  const page = await get(pathOf(id));
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(html).toContain(`<h1><bdi>${title}</bdi></h1>`);
  expect(html).not.toContain('name="robots"');
  const address = /application\/json\+oembed" href="([^"]+)"/.exec(html)![1]!;
  const byId = await get(`/g/${id}`);
  expect([byId.status, byId.headers.get('location')]).toEqual([301, pathOf(id)]);
  expect((await get('/g/a~b')).status).toBe(404);
  const description = await fetch(address);
  expect(description.headers.get('access-control-allow-origin')).toBe('*');
  expect(await description.json()).toMatchObject({ type: 'photo', title, url: expect.stringContaining(id) });
});

test.each([
  ['url=https%3A%2F%2Fother.example%2Fg%2Fa.gif', 404, 'not_found'],
  ['url=x&url=y', 404, 'not_found'],
  ['', 404, 'not_found'],
  ['format=xml', 400, 'validation'],
  ['maxwidth=0', 400, 'validation'],
  ['maxheight=-1', 400, 'validation'],
])('a description is refused: %s', async (query, status, code) => {
  const answer = await embed(query);
  expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code } }]);
});

test('the language of the pages can be chosen, and the link leads nowhere else', async () => {
  const chosen = await get('/language?to=de&at=%2Fg%2Fa.gif%3Fx%3D1');
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/g/a.gif?x=1']);
  expect(chosen.headers.get('set-cookie')).toBe('language=de; Path=/; Max-Age=31536000; SameSite=Lax');
  for (const at of ['//other.example', '/\\other.example', 'https://other.example', '/a\r\nx: y', '']) {
    const { headers } = await get(`/language?to=de&at=${encodeURIComponent(at)}`);
    expect(headers.get('location'), at).toBe('/');
  }
  expect((await get('/language?to=toString')).status).toBe(400);
  const [{ id }] = gifs as [(typeof gifs)[0]];
  for (const language of ['de', 'ar']) {
    const html = await (await get(pathOf(id), { cookie: `language=${language}`, 'accept-language': 'fr' })).text();
    expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
  }
});

test('a GIF with a new id is found at its former address, and a hidden one is gone at once', async () => {
  const [{ id }] = gifs as [(typeof gifs)[0]];
  const now = `${'0'.repeat(63)}1.gif`;
  const { db } = await openStore(data);
  await renameGif(db, id, now);
  await db.destroy();
  expect((await zoetrope(data, ['build', '--quiet'], ENV)).code).toBe(0);
  await vi.waitFor(async () => {
    const answer = await get(pathOf(id));
    expect([answer.status, answer.headers.get('location')]).toEqual([301, pathOf(now)]);
  }, SOON);
  expect((await get(pathOf(now))).status).toBe(200);
  expect((await zoetrope(data, ['gif', 'hide', now], ENV)).code).toBe(0);
  await vi.waitFor(async () => expect((await get(pathOf(now))).status).toBe(404), SOON);
  expect([(await get(pathOf(id))).status, (await embed(`url=${server.url}${pathOf(now)}`)).status]).toEqual([404, 404]);
});
