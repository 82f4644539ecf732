import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { countGifs, findGif, recordGifs } from '../catalog/index.ts';
import { blockGif, saveRatings } from '../moderation/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { Fetcher } from '../platform/fetch/index.ts';
import { revision, setHidden, tables as tablesOfRecords } from '../records/index.ts';
import { DATA_MIGRATIONS } from '../service/migrations.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { readCatalogue, removeCatalogue } from './follow.ts';
import { publishCatalogue } from './publish.ts';
import { reportFollowed } from './report.ts';
import { addCatalogue, listCatalogues } from './tables.ts';
import { linked } from './testing/linked.ts';

const POLICY = { heldBack: 'relays', links: { http: 'show', probe: 'off' } } as const;
const { signal } = new AbortController();

/** A service that publishes. */
class Publisher {
  readonly db = openDatabase(':memory:');
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  readonly #key = randomBytes(32);
  readonly #server = http.createServer((request, response) => {
    const file = path.join(this.#folder, path.basename(request.url!));
    const type = file.endsWith('.json') ? 'application/json' : 'application/gzip';
    if (fs.existsSync(file)) response.writeHead(200, { 'content-type': type }).end(fs.readFileSync(file));
    else response.writeHead(404).end();
  });

  async start(): Promise<void> {
    await migrate(this.db, DATA_MIGRATIONS);
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  publish() {
    const about = { folder: this.#folder, key: this.#key, mediaUrl: this.url, name: 'A', url: this.url, now: 1 };
    return publishCatalogue({ db: this.db, policy: POLICY, ...about, onProgress: () => {}, signal });
  }

  async stop(): Promise<void> {
    this.#server.close();
    await this.db.destroy();
    fs.rmSync(this.#folder, { recursive: true });
  }
}

onEachDatabase((opened) => {
  const fetcher = new Fetcher({ allowPrivate: true });
  let db: Database;
  let publishers: Publisher[];

  beforeEach(async () => {
    db = opened.db;
    publishers = [new Publisher(), new Publisher()];
    for (const publisher of publishers) await publisher.start();
  });

  afterEach(async () => {
    for (const publisher of publishers) await publisher.stop();
  });

  const read = ({ url }: Publisher) => readCatalogue({ db, fetcher, url, now: 1, onProgress: () => {}, signal });

  async function follow(publisher: Publisher) {
    await addCatalogue(db, publisher.url);
    return read(publisher);
  }

  it('a change of the number of parts does not lose or repeat a GIF', async () => {
    const [one] = publishers as [Publisher];
    await recordGifs(
      one.db,
      Array.from({ length: 700 }, (_, n) => linked(`${n}.gif`)),
    );
    expect(await one.publish()).toMatchObject({ parts: 1, generation: 1 });
    expect(await follow(one)).toMatchObject({ gifs: 700, parts: 1 });
    await recordGifs(
      one.db,
      Array.from({ length: 2_000 }, (_, n) => linked(`${n + 1}.gif`)),
    );
    await setHidden(one.db, '0.gif', true);
    expect(await one.publish()).toMatchObject({ parts: 4, generation: 2 });
    expect(await read(one)).toMatchObject({ gifs: 2_000, parts: 4, removed: 1 });
    expect(await countGifs(db)).toBe(2_000);
    expect(await read(one)).toMatchObject({ parts: 0 });
  });

  it('a GIF that another catalogue also has stays when the first one removes it', async () => {
    const [one, two] = publishers as [Publisher, Publisher];
    for (const publisher of publishers) {
      await recordGifs(publisher.db, [
        linked('both.gif', { title: publisher === one ? 'one' : 'two', source: 'nostr' }),
      ]);
      await saveRatings(publisher.db, [{ id: 'both.gif', rating: 'safe', saidBy: 'operator' }]);
      await publisher.publish();
      await follow(publisher);
    }
    const reports = await reportFollowed(db);
    expect(publishers.map(({ url }) => reports.find((report) => report.url === url))).toMatchObject([
      { gifs: 1, read: 1, known: 0 },
      { gifs: 1, read: 1, known: 1 },
    ]);
    expect(await findGif(db, 'both.gif')).toMatchObject({ title: 'one', source: `${new URL(one.url).host}: nostr` });
    await setHidden(one.db, 'both.gif', true);
    await one.publish();
    expect(await read(one)).toMatchObject({ removed: 1 });
    expect((await listCatalogues(db)).find(({ url }) => url === two.url)).toMatchObject({ checkedAt: 0 });
    expect(await read(two)).toMatchObject({ parts: 1, known: 0 });
    expect(await findGif(db, 'both.gif')).toMatchObject({ title: 'two' });
    expect(await countGifs(db)).toBe(1);
  });

  it('the last failure is stored until the catalogue has been read', async () => {
    const [one] = publishers as [Publisher];
    const saved = async () => (await listCatalogues(db)).find(({ url }) => url === one.url)!;
    expect(await addCatalogue(db, one.url)).toBe(true);
    await expect(read(one)).rejects.toThrow(one.url);
    const { error } = await saved();
    expect([error, (await saved()).checkedAt, (await saved()).readAt]).toEqual([
      expect.stringContaining(one.url),
      1,
      0,
    ]);
    await recordGifs(one.db, [linked('a.gif')]);
    await one.publish();
    const stopped = { db, fetcher, url: one.url, now: 2, onProgress: () => {}, signal: AbortSignal.abort() };
    await expect(readCatalogue(stopped)).rejects.toHaveProperty('name', 'AbortError');
    expect(await saved()).toMatchObject({ error, checkedAt: 1 });
    expect(await addCatalogue(db, one.url)).toBe(false);
    expect(await saved()).toMatchObject({ error, checkedAt: 0 });
    await read(one);
    expect(await saved()).toMatchObject({ error: null, checkedAt: 1, readAt: 1 });
  });

  it('a file that an operator has blocked is hidden, also under the id of another catalogue', async () => {
    const [one] = publishers as [Publisher];
    const sha256 = 'a'.repeat(64);
    await recordGifs(db, [linked('own.gif', { sha256, verified: 'file' })]);
    await blockGif(db, 'own.gif');
    await recordGifs(one.db, [linked('theirs.gif', { sha256, verified: 'file' }), linked('other.gif')]);
    await one.publish();
    await follow(one);
    const isHidden = async (id: string) =>
      (await tablesOfRecords(db).selectFrom('gifs').select('hidden').where('id', '=', id).executeTakeFirstOrThrow())
        .hidden;
    expect([await isHidden('theirs.gif'), await isHidden('other.gif')].map(Boolean)).toEqual([true, false]);
  });

  it('leaving a catalogue keeps or withdraws its GIFs', async () => {
    const [one] = publishers as [Publisher];
    await recordGifs(one.db, [linked('a.gif', { adult: true }), linked('b.gif', { verified: 'file' })]);
    await one.publish();
    await follow(one);
    expect(await findGif(db, 'b.gif')).toMatchObject({ verified: 'header', toldBy: `catalogue:${one.url}#b.gif` });
    const before = await revision(db);
    expect(await removeCatalogue(db, one.url, 'keep')).toBe(0);
    // The GIFs now belong to this service, so its own catalogue changes.
    expect(await revision(db)).toBeGreaterThan(before);
    expect(await countGifs(db)).toBe(1);
    expect(await removeCatalogue(db, one.url, 'keep')).toBeNull();
    await follow(one);
    expect(await removeCatalogue(db, one.url, 'withdraw')).toBe(1);
    expect(await countGifs(db)).toBe(0);
  });
});
