import { ModeratedGif, ModerationQueue } from '@zoetrope/contract/account';
import { Value } from 'typebox/value';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordGifs } from '../catalog/index.ts';
import { recordReport, saveRatings } from '../moderation/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { DATA_MIGRATIONS } from '../service/migrations.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { Browser } from './testing/browser.ts';
import { PUBLIC_URL, startDashboard, type TestService } from './testing/service.ts';

const ID = `${'a'.repeat(64)}.gif`;
const PICTURE = Buffer.from('picture');

/** Returns the record of a GIF whose file is stored here. */
function gifOf(sha256: string) {
  const words = { title: 'happy', tags: ['joy'], characters: [], series: [], text: '', alt: '', lang: '' };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
  const told = { adult: false, popularity: 0, source: 'folder', fallback: [], toldBy: 'folder' };
  return { id: `${sha256}.gif`, sha256, verified: 'file', url: null, ...words, ...facts, ...told } as const;
}

let registry: Database;
let catalogue: Database;
let service: TestService;
let operator: Browser;
const admins = new Set<string>();

beforeEach(async () => {
  [registry, catalogue] = [openDatabase(':memory:'), openDatabase(':memory:')];
  await migrate(catalogue, DATA_MIGRATIONS);
  await recordGifs(catalogue, [gifOf('a'.repeat(64))]);
  service = await startDashboard(registry, {
    admins,
    catalogue: async () => catalogue,
    picture: async () => ({ bytes: PICTURE, contentType: 'image/webp' }),
  });
  operator = new Browser(service.url, PUBLIC_URL);
  admins.add(operator.pubkey);
  await operator.signIn();
});

afterEach(async () => {
  await service.stop();
  await registry.destroy();
  await catalogue.destroy();
});

test('only operators can see and moderate GIFs', async () => {
  const somebody = new Browser(service.url, PUBLIC_URL);
  const routes = [
    'GET /review/gifs',
    `GET /review/gifs/${ID}`,
    `GET /review/gifs/${ID}/picture`,
    `POST /review/gifs/${ID}/moves`,
    'GET /review/moves',
    'POST /review/moves/1/undo',
  ];
  for (const route of routes) expect((await somebody.ask(route)).status, route).toBe(401);
  await somebody.signIn();
  for (const route of routes) expect((await somebody.ask(route)).status, route).toBe(403);
});

test('reported GIFs are listed with their reports until the reports are closed', async () => {
  const report = {
    id: 'r',
    gif: ID,
    reason: 'copyright',
    message: 'mine',
    contact: '',
    reporter: 'form',
    at: 1,
  } as const;
  expect(await recordReport(catalogue, report)).toBe('taken');
  expect(await recordReport(catalogue, { ...report, id: 's', gif: 'other.gif' })).toBe('unknown');
  const { body: queue } = await operator.ask('GET /review/gifs?list=reported');
  expect(Value.Check(ModerationQueue, queue)).toBe(true);
  expect(queue).toMatchObject({ reported: 1, doubtful: 0, gifs: [{ id: ID, reports: [{ message: 'mine' }] }] });
  const { body: gif } = await operator.ask(`POST /review/gifs/${ID}/moves`, { action: 'hide' });
  expect(Value.Check(ModeratedGif, gif)).toBe(true);
  expect(gif).toMatchObject({ hidden: true, reports: [] });
  expect(gif.moves[0].actor).toMatch(/^npub1/);
  expect(gif.moves[0].changes).toEqual([
    { what: 'hidden', before: 'no', after: 'yes' },
    { what: 'reports', before: '1 open', after: '0 open' },
  ]);
  expect((await operator.ask('GET /review/gifs?list=hidden')).body.gifs).toHaveLength(1);
  const undone = await operator.ask(`POST /review/moves/${gif.moves[0].id}/undo`);
  expect(undone.body).toMatchObject({ hidden: false, reports: [{ id: 'r' }], moves: [{ action: 'undo hide' }, {}] });
  expect((await operator.ask(`POST /review/moves/${gif.moves[0].id}/undo`)).status).toBe(409);
  expect((await operator.ask('GET /review/moves')).body.moves).toHaveLength(2);
});

test('if two operators decide about the same GIF, the second is informed of the first decision', async () => {
  const act = (body: object) => operator.ask(`POST /review/gifs/${ID}/moves`, body);
  const hidden = await act({ action: 'hide', reason: 'spam', lastMove: 0 });
  expect(hidden.body).toMatchObject({ hidden: true, moves: [{ action: 'hide', reason: 'spam' }] });
  const { status, body } = await act({ action: 'dismiss', lastMove: 0 });
  expect(status).toBe(409);
  expect(body.error.message).toMatch(/^npub1\w+ was first and did "hide" \(spam\)/);
  expect((await act({ action: 'adult', lastMove: hidden.body.moves[0].id })).status).toBe(200);
  expect((await act({ action: 'hide', reason: 'x'.repeat(501) })).status).toBe(400);
});

test("an operator's own file that the models rate adult is listed and counted until it is reviewed", async () => {
  await saveRatings(catalogue, [{ id: ID, rating: 'adult', saidBy: 'model' }]);
  const withheld = async () => (await operator.ask('GET /review/gifs?list=withheld')).body;
  expect(await withheld()).toMatchObject({ withheld: 1, doubtful: 0, gifs: [{ id: ID, rating: 'adult' }] });
  await operator.ask(`POST /review/gifs/${ID}/moves`, { action: 'safe' });
  expect(await withheld()).toMatchObject({ withheld: 0, gifs: [] });
});

test('a long list has several pages, which together have each GIF once', async () => {
  const hashes = Array.from({ length: 40 }, (_, n) => n.toString(16).padStart(64, '0'));
  await recordGifs(catalogue, hashes.map(gifOf));
  const ids = hashes.map((hash) => `${hash}.gif`);
  const rate = (some: string[]) =>
    saveRatings(
      catalogue,
      some.map((id) => ({ id, rating: 'adult', saidBy: 'model' })),
    );
  await rate(ids.slice(0, 25));
  const pageAfter = async (after: string) => (await operator.ask(`GET /review/gifs?list=withheld&after=${after}`)).body;
  const first = await pageAfter('');
  const rest = await pageAfter(first.next);
  expect([first.gifs.length, rest.gifs.length, rest.next]).toEqual([20, 5, '']);
  const shown = [...first.gifs, ...rest.gifs].map(({ id }) => id);
  expect(shown.toSorted()).toEqual(ids.slice(0, 25));
  await rate(ids);
  const second = await pageAfter(first.next);
  expect(second.gifs).toHaveLength(20);
  expect(await pageAfter(second.next)).toMatchObject({ gifs: [], next: '' });
});

test('an edit stores only the fields that differ, and removing it restores the original fields', async () => {
  const edit = { action: 'edit', title: 'glad', tags: ['joy'], alt: '' };
  expect((await operator.ask(`POST /review/gifs/${ID}/moves`, edit)).body).toMatchObject({
    title: 'glad',
    tags: ['joy'],
    edited: true,
    moves: [{ changes: [{ what: 'edit', before: 'not edited', after: 'title: glad' }] }],
  });
  expect((await operator.ask('GET /review/moves')).body.moves).toMatchObject([{ gifId: ID, title: 'glad' }]);
  const { body } = await operator.ask(`POST /review/gifs/${ID}/moves`, { action: 'unedit' });
  expect(body).toMatchObject({ title: 'happy', edited: false });
});

test.each([
  ['title', { title: 'a\u0007b' }],
  ['tags.1', { tags: ['joy', 'a\u0007b'] }],
  ['tags.0', { tags: ['two\nlines'] }],
])('a control character in %s is rejected with the name of the field', async (field, changes) => {
  const edit = { action: 'edit', title: 'glad', tags: ['joy'], alt: 'two\nlines', ...changes };
  const { status, body } = await operator.ask(`POST /review/gifs/${ID}/moves`, edit);
  expect(status).toBe(400);
  expect(body.error.message).toMatch(new RegExp(`^${field} `));
});

test('invalid actions are rejected with a reason', async () => {
  const refused = async (route: string, body: object, status: number) =>
    expect((await operator.ask(route, body)).status, route).toBe(status);
  await refused('POST /review/gifs/unknown.gif/moves', { action: 'hide' }, 404);
  await refused('POST /review/gifs/unknown.gif/moves', { action: 'edit', title: '', tags: [], alt: '' }, 404);
  await refused(`POST /review/gifs/${ID}/moves`, { action: 'explode' }, 400);
  await refused(`POST /review/gifs/${ID}/moves`, { action: 'edit', title: 'x'.repeat(301), tags: [], alt: '' }, 400);
  await refused('GET /review/gifs?list=all', {}, 400);
  await refused('GET /review/gifs?order=newest', {}, 400);
  await refused('GET /review/moves?before=x', {}, 400);
  await refused('POST /review/moves/7/undo', {}, 404);
});

onEachDatabase((opened) => {
  test.each(['7', '2.5', '1e999', 'x'])('there is no action %s to undo', async (id) => {
    await using stack = new AsyncDisposableStack();
    const own = await startDashboard(registry, { admins, catalogue: async () => opened.db });
    stack.defer(() => own.stop());
    const browser = new Browser(own.url, PUBLIC_URL);
    admins.add(browser.pubkey);
    await browser.signIn();
    expect((await browser.ask(`POST /review/moves/${id}/undo`)).status).toBe(404);
  });
});
