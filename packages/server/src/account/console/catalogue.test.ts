import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CataloguePage, GifExplanation, GifsOutcome, UploadedFile } from '@zoetrope/contract/account';
import { Value } from 'typebox/value';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordGifs } from '../../catalog/index.ts';
import { createClient } from '../../clients/index.ts';
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts';
import { setHidden, tables } from '../../records/index.ts';
import { DATA_MIGRATIONS } from '../../service/migrations.ts';
import { Browser } from '../testing/browser.ts';
import { PUBLIC_URL, startDashboard, type TestService } from '../testing/service.ts';

const hashOf = (n: number) => n.toString(16).padStart(64, '0');
const idOf = (n: number) => `${hashOf(n)}.gif`;
const MAX_BYTES = 100_000;

function gifOf(n: number) {
  const words = { title: `party ${n}`, tags: ['joy'], characters: [], series: [], text: '', alt: '', lang: '' };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
  const told = { adult: false, popularity: 0, source: 'folder', fallback: [], toldBy: 'folder' };
  return { id: idOf(n), sha256: hashOf(n), verified: 'file', url: null, ...words, ...facts, ...told } as const;
}

let registry: Database;
let catalogue: Database;
let service: TestService;
let operator: Browser;
let folder: string;
let ranked: string[] = [];

beforeEach(async () => {
  [registry, catalogue] = [openDatabase(':memory:'), openDatabase(':memory:')];
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  await migrate(catalogue, DATA_MIGRATIONS);
  await recordGifs(catalogue, [1, 2, 3].map(gifOf));
  const admins = new Set<string>();
  service = await startDashboard(registry, {
    admins,
    catalogue: async () => catalogue,
    search: async () => ranked,
    uploads: { folder, maxBytes: MAX_BYTES, reserveBytes: 0 },
  });
  operator = new Browser(service.url, PUBLIC_URL);
  admins.add(operator.pubkey);
  await operator.signIn();
});

afterEach(async () => {
  await service.stop();
  await registry.destroy();
  await catalogue.destroy();
  fs.rmSync(folder, { recursive: true });
});

describe('the catalogue', () => {
  test('shows the best matches of the search first, then all records with the words, hidden ones too', async () => {
    await setHidden(catalogue, idOf(3), true);
    ranked = [idOf(2), idOf(9), idOf(1)];
    const { body: first } = await operator.ask('GET /review/catalogue?q=party');
    expect(Value.Check(CataloguePage, first)).toBe(true);
    expect(first.gifs.map(({ id }: { id: string }) => id)).toEqual([idOf(2), idOf(1)]);
    const { body: rest } = await operator.ask(`GET /review/catalogue?q=party&after=${first.next}`);
    expect(rest.gifs.map(({ id }: { id: string }) => id).toSorted()).toEqual([1, 2, 3].map(idOf));
    expect(rest.next).toBe('');
    const { body: hidden } = await operator.ask('GET /review/catalogue?q=PARTY&state=hidden');
    expect(hidden.gifs).toMatchObject([{ id: idOf(3), hiddenBecause: ['operator'] }]);
  });

  test('shows when a GIF was added, if this time is known', async () => {
    await tables(catalogue).updateTable('gifs').set({ addedAt: 0 }).where('id', '=', idOf(1)).execute();
    const { body } = await operator.ask('GET /review/catalogue?q=party');
    const times = new Map(body.gifs.map(({ id, addedAt }: CataloguePage['gifs'][number]) => [id, addedAt]));
    expect([times.get(idOf(1)), times.get(idOf(2))]).toEqual([null, expect.any(Number)]);
  });

  test('shows the best matches in pages, and every record after them', async () => {
    const all = Array.from({ length: 130 }, (_, n) => n + 1);
    await recordGifs(catalogue, all.map(gifOf));
    ranked = all.map(idOf);
    const pages: string[][] = [];
    let after = '';
    do {
      const { body } = await operator.ask(`GET /review/catalogue?q=party&after=${after}`);
      pages.push(body.gifs.map(({ id }: { id: string }) => id));
      after = body.next;
    } while (after.startsWith('best:'));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages[0]!.length).toBeLessThan(all.length);
    expect(pages.flat()).toEqual(ranked);
    expect(after).toBe('all:');
  });

  test.each(['state=lost', 'rating=good', 'format=png', 'colour=red', `q=${'x'.repeat(201)}`])(
    'refuses %s',
    async (query) => {
      const { status, body } = await operator.ask(`GET /review/catalogue?${query}`);
      expect(status).toBe(400);
      expect(body.error.message).toMatch(
        /^(state must be one of |rating must be|format must be|q must|colour is not known)/,
      );
    },
  );

  test('explains a GIF by its id, hash or URL, and a hash that is blocked', async () => {
    await operator.ask('POST /review/moves/many', { ids: [idOf(1)], action: 'block' });
    for (const text of [idOf(1), hashOf(1), `https://gifs.example/media/originals/00/${hashOf(1)}.gif`]) {
      const { body } = await operator.ask(`GET /review/catalogue/why?q=${encodeURIComponent(text)}`);
      expect(Value.Check(GifExplanation, body), text).toBe(true);
      expect(body, text).toMatchObject({ gifs: [{ id: idOf(1), hiddenBecause: ['blocked'] }], blocked: true });
    }
    const { body } = await operator.ask(`GET /review/catalogue/why?q=${hashOf(7)}`);
    expect(body).toEqual({ gifs: [], blocked: false, refusals: [], relay: null });
  });
});

describe('an action on several GIFs', () => {
  test('reports the outcome for each GIF, records each change, and can be undone', async () => {
    await setHidden(catalogue, idOf(2), true);
    const ids = [idOf(1), idOf(2), idOf(9)];
    const { body } = await operator.ask('POST /review/moves/many', { ids, action: 'hide' });
    expect(Value.Check(GifsOutcome, body)).toBe(true);
    expect(body.outcomes.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['done', 'unchanged', 'refused']);
    expect(body.outcomes[2].message).toMatch(/has no GIF/);
    expect(body.gifs.map(({ hiddenBecause }: { hiddenBecause: string[] }) => hiddenBecause)).toEqual([
      ['operator'],
      ['operator'],
    ]);
    const { moves } = (await operator.ask('GET /review/moves')).body;
    expect(moves).toMatchObject([{ gifId: idOf(1), action: 'hide', actor: expect.stringMatching(/^npub1/) }]);
    const undone = await operator.ask('POST /review/moves/undo', { moves: [body.outcomes[0].move, 99] });
    expect(undone.body.outcomes).toMatchObject([{ outcome: 'refused' }, { id: idOf(1), outcome: 'done' }]);
    expect(undone.body.gifs).toMatchObject([{ id: idOf(1), hiddenBecause: [] }]);
  });

  test('adds a tag to the tags that each GIF has', async () => {
    const act = { ids: [idOf(1), idOf(2)], action: 'tag', tag: 'monday' };
    const { body } = await operator.ask('POST /review/moves/many', act);
    expect(body.gifs).toMatchObject([{ tags: ['joy', 'monday'] }, { tags: ['joy', 'monday'] }]);
    const again = await operator.ask('POST /review/moves/many', act);
    expect(again.body.outcomes).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'unchanged' }]);
  });

  test.each([
    ['more than 100 GIFs', { ids: Array.from({ length: 101 }, (_, n) => idOf(n)), action: 'hide' }],
    ['no GIFs', { ids: [], action: 'hide' }],
    ['an unknown action', { ids: [idOf(1)], action: 'edit' }],
    ['a tag of two lines', { ids: [idOf(1)], action: 'tag', tag: 'a\nb' }],
  ])('refuses %s', async (_, body) => {
    expect((await operator.ask('POST /review/moves/many', body)).status).toBe(400);
  });
});

describe('an uploaded file', () => {
  const BATCH = 'a'.repeat(32);
  const send = (name: string, bytes: string) =>
    operator.ask(`POST /review/uploads/${BATCH}/files/${encodeURIComponent(name)}`, bytes, {
      'content-type': 'application/octet-stream',
    });

  test('is stored under its plain name, with the ending of its type', async () => {
    const { body } = await send('../../Happy: dance.png', `GIF89a${'x'.repeat(500)}`);
    expect(Value.Check(UploadedFile, body)).toBe(true);
    expect(body).toEqual({ name: 'Happy dance.gif', bytes: 506 });
    const [own] = fs.readdirSync(path.join(folder, BATCH));
    expect(fs.readFileSync(path.join(folder, BATCH, own!, 'Happy dance.gif')).length).toBe(506);
  });

  test('can have exactly the largest size', async () => {
    const { status, body } = await send('large.gif', 'GIF89a'.padEnd(MAX_BYTES, 'x'));
    expect([status, body]).toEqual([200, { name: 'large.gif', bytes: MAX_BYTES }]);
  });

  test.each([
    ['a picture of another type', 'PNG and more than twelve bytes', /neither a GIF nor a WebP/],
    ['a file of few bytes', 'x', /neither a GIF nor a WebP/],
    [
      'a file over the limit',
      `GIF89a${'x'.repeat(MAX_BYTES)}`,
      /larger than 100000 bytes \(ZOETROPE_MEDIA_MAX_BYTES\)/,
    ],
  ])('is refused with the reason if it is %s, and leaves nothing behind', async (_, bytes, reason) => {
    const { status, body } = await send('a.gif', bytes);
    expect(status).toBe(400);
    expect(body.error.message).toMatch(reason);
    expect(fs.readdirSync(folder).flatMap((batch) => fs.readdirSync(path.join(folder, batch)))).toEqual([]);
  });

  test('is refused while it arrives if it grows over the limit', async () => {
    const endless = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('GIF89a')),
      pull: (stream) => stream.enqueue(new Uint8Array(50_000)),
    });
    const cookie = [...operator.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      cookie,
      origin: PUBLIC_URL,
      'content-type': 'application/octet-stream',
      'x-csrf-token': operator.csrf,
    };
    const address = `${service.url}/dashboard/api/review/uploads/${BATCH}/files/a.gif`;
    const sent = fetch(address, { method: 'POST', headers, body: endless, duplex: 'half' } as RequestInit);
    // The server can close the connection before the client reads the response.
    const status = await sent.then(
      (response) => response.status,
      () => 400,
    );
    expect(status).toBe(400);
    expect(fs.readdirSync(path.join(folder, BATCH))).toEqual([]);
  });

  test('is refused if the name of the batch is not valid', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const { status } = await operator.ask('POST /review/uploads/..%2Fa/files/a.gif', 'GIF89a', headers);
    expect(status).toBe(400);
  });
});

test('clients are listed in pages, which together have each client once', async () => {
  const by = { actor: 'test', now: 1, isOwner: false };
  const names = Array.from({ length: 60 }, (_, n) => `Client ${n}`);
  for (const name of names) await createClient(registry, by, { name, state: 'approved', pubkeys: [], origins: [] });
  const { body: first } = await operator.ask('GET /review/clients');
  const { body: rest } = await operator.ask(`GET /review/clients?after=${first.next}`);
  expect([first.clients.length, rest.clients.length, rest.next]).toEqual([50, 10, '']);
  const shown = [...first.clients, ...rest.clients].map(({ name }: { name: string }) => name);
  expect(shown.toSorted()).toEqual(names.toSorted());
  // The latest clients come first. Clients with the same creation time are ordered by id.
  const order = [...first.clients, ...rest.clients].map(({ id, createdAt }) => ({ id, createdAt }));
  expect(order).toEqual(order.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)));
  expect((await operator.ask('GET /review/clients?q=client%2059')).body.clients).toMatchObject([{ name: 'Client 59' }]);
});
