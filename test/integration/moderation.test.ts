import fs from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Act, moderate, pageOfMoves, undoMove } from '../../packages/server/src/moderation/index.ts';
import { openStore, type Store } from '../../packages/server/src/service/store.ts';
import { smallGif } from '../support/catalogue.ts';
import { DEVELOPMENT, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = {
  ZOETROPE_THREADS: '2',
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_RATING: 'off',
  ZOETROPE_CAPTIONS: 'off',
};
const NAMES = ['zeppelin-party', 'harbour-party', 'lantern-party', 'meadow-party'];
/**
 * Number of requests that is enough to reach every thread. Every thread must be checked, because threads share only the
 * build.
 */
const TRIES = 4;
const SOON = { timeout: 480_000, interval: 100 };

interface Item {
  id: string;
  url: string;
  previewMp4: string;
  title: string;
  previews: { w240: { animated: string; still: string } };
}

const folder = temporaryFolder();
const data = `${folder.path}/data`;
let server: Server;
let gif: Item;
let other: Item;
let isLoaded = true;
let store: Store;
let load: Promise<unknown>;
let answered = 0;

beforeAll(async () => {
  fs.mkdirSync(`${folder.path}/gifs`);
  for (const [n, name] of NAMES.entries()) {
    fs.writeFileSync(`${folder.path}/gifs/${name}.gif`, smallGif(n * 7919 + 1, 32));
  }
  await run('add', '--quiet', `${folder.path}/gifs`);
  server = await startServer(data, ENV);
  [gif] = (await search('zeppelin')) as [Item];
  [other] = (await search('harbour')) as [Item];
  store = await openStore(data);
  load = askOn(['/api/v1/search?q=party', '/api/v1/suggest?q=ze', `/api/v1/gifs/${gif.id}/similar`, ...images()]);
});

afterAll(async () => {
  isLoaded = false;
  await load;
  await store.db.destroy();
  await server.stop();
  folder[Symbol.dispose]();
});

/** Sends requests, so that the service is busy and its caches are full. */
async function askOn(paths: string[]): Promise<void> {
  while (isLoaded) {
    for (const path of paths) await (await fetch(server.url + path, { headers: DEVELOPMENT })).arrayBuffer();
    answered++;
  }
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await zoetrope(data, args, ENV);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** Applies an action to the GIF, like another process. @returns the number of the move */
async function move(act: Act): Promise<number> {
  return (await moderate(store.db, BY, gif.id, act))!.seq;
}

const BY = { actor: 'somebody', now: 1 };

const ask = (path: string) => fetch(server.url + path, { headers: { ...DEVELOPMENT, connection: 'close' } });
const json = async (path: string) => (await ask(path)).json() as Promise<Record<string, unknown[]>>;
const pathOf = (url: string) => new URL(url).pathname;
const search = async (q: string) => (await json(`/api/v1/search?q=${q}`))['items'] as Item[];
const images = () => [gif.url, gif.previews.w240.animated, gif.previews.w240.still, gif.previewMp4].map(pathOf);

/** Returns the places that still show the GIF. The function sends enough requests to reach every thread. */
async function seenIn(q: string, term: string): Promise<string[]> {
  const seen = new Set<string>();
  for (let n = 0; n < TRIES; n++) {
    if ((await search(q)).some(({ id }) => id === gif.id)) seen.add('search');
    const { terms } = await json(`/api/v1/suggest?q=${term.slice(0, -2)}`);
    if ((terms as { term: string }[]).some((suggested) => suggested.term === term)) seen.add('suggest');
    const { corrected } = (await json(`/api/v1/search?q=${term}x`)) as { corrected?: unknown };
    if (corrected === term) seen.add('corrected');
    const phrase = (await json(`/api/v1/search?q=${term}x+party`)) as { corrected?: unknown };
    if (phrase.corrected === `${term} party`) seen.add('corrected phrase');
    const { items } = await json(`/api/v1/gifs/${other.id}/similar`);
    if ((items as Item[]).some(({ id }) => id === gif.id)) seen.add('similar');
    if ((await ask(`/api/v1/gifs/${gif.id}/similar`)).status === 200) seen.add('its similar');
    for (const [i, image] of images().entries()) if ((await ask(image)).status === 200) seen.add(`image ${i}`);
  }
  return [...seen].sort();
}

const EVERYWHERE = [
  ...[
    'corrected',
    'corrected phrase',
    'image 0',
    'image 1',
    'image 2',
    'image 3',
    'its similar',
    'search',
    'similar',
    'suggest',
  ],
];
const gone = (left: string[] = []) => expect.poll(() => seenIn('zeppelin', 'zeppelin'), SOON).toEqual(left);
const back = () => gone(EVERYWHERE);

test('a hidden GIF appears nowhere, not even after a new build, until it is shown again', async () => {
  await back();
  const { seq } = JSON.parse(await run('gif', 'hide', gif.id, '--json'));
  await gone();
  await run('build');
  await vi.waitUntil(async () => (await json('/api/v1/search?q=zeppelin'))['items']!.length === 0, SOON);
  await gone();
  expect(await run('gif', 'undo', `${seq}`)).toContain('Done');
  await back();
  await expect(undoMove(store.db, BY, seq)).rejects.toThrow('already been undone');
  expect(answered).toBeGreaterThan(0);
});

test('a query of several words is corrected only if a GIF has all of them', async () => {
  const corrected = async (q: string) => (await json(`/api/v1/search?q=${q}`))['corrected'];
  // The GIF was shown again just now, so some threads may not have noticed this yet.
  await expect.poll(() => corrected('zepelin+party'), SOON).toBe('zeppelin party');
  expect(await corrected('zepelin+harbour')).toBeUndefined();
});

test('a GIF that an operator marks as adult is gone, except for its original, which notes can contain', async () => {
  await move({ action: 'adult' });
  await gone(['image 0']);
  await move({ action: 'safe' });
  await back();
});

test("an operator's metadata is searchable, and survives another ingest of the folder", async () => {
  const seq: number = JSON.parse(
    await run('gif', 'edit', gif.id, '--title', 'airship', '--tags', 'sky, slow', '--json'),
  ).seq;
  const found = async (q: string) => (await search(q)).map(({ title }) => title);
  await expect.poll(() => found('airship'), SOON).toEqual(['airship']);
  await expect.poll(() => found('sky'), SOON).toEqual(['airship']);
  await run('add', '--quiet', `${folder.path}/gifs`);
  await expect.poll(() => found('airship'), SOON).toEqual(['airship']);
  await undoMove(store.db, BY, seq);
  await back();
});

test('a blocked GIF is refused again, also after a restart, until it is unblocked', async () => {
  isLoaded = false;
  await load;
  await move({ action: 'block' });
  await gone();
  const added = await zoetrope(data, ['add', '--quiet', '--json', `${folder.path}/gifs/zeppelin-party.gif`], ENV);
  expect(JSON.parse(added.stdout).refused).toMatchObject([{ reason: 'blocked' }]);
  // Pictures are compared with blocked pictures. A file without a picture is refused for another reason, and does not
  // stop the ingest.
  fs.mkdirSync(`${folder.path}/odd`);
  fs.writeFileSync(`${folder.path}/odd/broken.gif`, smallGif(77).subarray(0, 40));
  fs.writeFileSync(`${folder.path}/odd/whole.gif`, smallGif(78));
  const odd = await zoetrope(data, ['add', '--quiet', '--json', `${folder.path}/odd`], ENV);
  expect(JSON.parse(odd.stdout)).toMatchObject({
    added: 1,
    refused: [{ reason: expect.not.stringMatching('internal') }],
  });
  // Another file with the blocked picture.
  const copy = Buffer.concat([fs.readFileSync(`${folder.path}/gifs/zeppelin-party.gif`), Buffer.of(0)]);
  fs.writeFileSync(`${folder.path}/odd/copy.gif`, copy);
  const similar = await zoetrope(data, ['add', '--quiet', '--json', `${folder.path}/odd/copy.gif`], ENV);
  expect(JSON.parse(similar.stdout).refused).toMatchObject([{ reason: 'blocked' }]);
  await server.stop();
  server = await startServer(data, ENV);
  await gone();
  await move({ action: 'unblock' });
  await back();
});

test('the log records who changed what, and the earlier value', async () => {
  const moves = await pageOfMoves(store.db, { gif: gif.id });
  expect(moves.map(({ action }) => action)).toContain('undo hide');
  const edit = moves.find(({ action }) => action === 'edit');
  expect(edit).toMatchObject({
    actor: 'command line',
    before: { edit: null },
    after: { edit: { title: 'airship', tags: ['sky', 'slow'], alt: null } },
    undone: true,
  });
  expect((await zoetrope(data, ['gif', 'hide', 'unknown.gif'], ENV)).stderr).toContain('no GIF unknown.gif');
});
