import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../packages/server/src/base/log.ts';
import { hiddenIds, pageOfGifs, recordGifs, snapshot } from '../../packages/server/src/catalog/index.ts';
import { checkRatingModels, createJudge, createLooks, type Judge } from '../../packages/server/src/enrich/index.ts';
import { offensiveWords } from '../../packages/server/src/index/index.ts';
import { createTestMedia } from '../../packages/server/src/media/testing/test-media.ts';
import { blockGif, findRating, rateByOperator } from '../../packages/server/src/moderation/index.ts';
import { openStore, type Store } from '../../packages/server/src/service/store.ts';
import { rateGifs } from '../../packages/server/src/work/rate.ts';
import { heldBack, isToBeRated, UNRATED } from '../../packages/server/src/work/rating-mode.ts';
import { BLOTS, blotGif } from '../support/blots.ts';
import { startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const NAMES = Object.keys(BLOTS) as (keyof typeof BLOTS)[];
const log = createLog('silent');
const gifs = new Map<string, Uint8Array>();

beforeAll(async () => {
  for (const name of NAMES) gifs.set(name, await blotGif(BLOTS[name]));
});

test('the networks belong to this version of the program', async () => {
  await expect(checkRatingModels()).resolves.toBeUndefined();
});

describe('the service', () => {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());
  beforeAll(() => {
    fs.mkdirSync(`${folder.path}/gifs/blots`, { recursive: true });
    for (const [name, bytes] of gifs) fs.writeFileSync(`${folder.path}/gifs/blots/${name}.gif`, bytes);
    const rows = NAMES.map((name) => ({
      file: `gifs/blots/${name}.gif`,
      title: name,
      tags: ['blots'],
      source: 'nostr',
    }));
    fs.writeFileSync(`${folder.path}/told.jsonl`, rows.map((row) => JSON.stringify(row)).join('\n'));
  });

  const countOf = async (answer: Response) => ((await answer.json()) as { count: number }).count;
  const env = (mode: string) => ({ ZOETROPE_RATING: mode, ZOETROPE_EMBEDDER: 'none', ZOETROPE_CAPTIONS: 'off' });

  test('shows a folder immediately, except GIFs that both networks are sure are adult', async () => {
    const data = `${folder.path}/data`;
    const added = await zoetrope(data, ['add', '--quiet', `${folder.path}/gifs`], env('relays'));
    expect(added.code, added.stderr).toBe(0);
    expect(added.stdout).toMatch(/1 of your own files is withheld because the models rated it adult/);
    const [, settle, id] = /blots\/alarming\.gif\n +zoetrope (gif safe (\w+\.gif))/.exec(added.stdout) ?? [];
    expect(added.stdout).toContain(`zoetrope gif adult ${id}`);
    await using server = await startServer(data, { ...env('relays'), ZOETROPE_THREADS: '1' });
    const { items } = (await (await server.get('/api/v1/search?q=blots')).json()) as { items: { title: string }[] };
    expect(items.map(({ title }) => title).sort()).toEqual(['calm', 'cleared', 'doubtful']);
    expect((await zoetrope(data, settle!.split(' '), env('relays'))).code).toBe(0);
    await expect.poll(() => server.get('/api/v1/search?q=alarming').then(countOf), { timeout: 480_000 }).toBe(1);
  });

  test.each([
    ['on', 'gifs', 2],
    ['relays', 'told.jsonl', 2],
    ['off', 'told.jsonl', 0],
  ])('with ZOETROPE_RATING=%s shows the GIFs in %s that are rated safe', async (mode, source, expected) => {
    const data = `${folder.path}/${mode} ${source}`;
    const added = await zoetrope(data, ['add', '--quiet', '--json', `${folder.path}/${source}`], env(mode));
    expect(added.code, added.stderr).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({ added: NAMES.length, documents: expected });
  });
});

describe('rating', () => {
  const looks = createLooks({ log });
  const judge = createJudge({ log });
  const words = offensiveWords(['slander']);
  const { media, blobs } = createTestMedia();
  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store;
  afterAll(() => Promise.all([looks.close(), judge.close(), media.close()]));
  beforeEach(async () => {
    folder = temporaryFolder();
    store = await openStore(folder.path);
    return async () => {
      await store.db.destroy();
      folder[Symbol.dispose]();
    };
  });

  /** Ingests a GIF as if it came from a relay or a folder. */
  async function take(
    name: keyof typeof BLOTS,
    { source = 'nostr', bytes = gifs.get(name)!, title = name as string } = {},
  ): Promise<string> {
    const { sha256, truncated: _, ...facts } = await media.ingest(bytes);
    const id = `${sha256}.gif`;
    const words = { title, tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
    const told = { adult: false, popularity: 0, source, fallback: [], toldBy: name };
    await recordGifs(store.db, [{ id, sha256, verified: 'file', url: null, ...facts, ...words, ...told }]);
    return id;
  }

  const rate = (by: { judge?: Judge; looks?: typeof looks; log?: typeof log } = {}) =>
    rateGifs({
      ...{ db: store.db, media, blobs, looks, judge, log, words, mode: 'relays', seen: new Set<string>(), ...by },
      isRated: (gif) => isToBeRated(store.db, 'relays', gif),
      onProgress: () => {},
      signal: new AbortController().signal,
    });

  /** Returns the titles that a build would show. */
  async function shown(): Promise<string[]> {
    const policy = { heldBack: heldBack('relays'), links: { http: 'show', probe: 'off' } } as const;
    const titles: string[] = [];
    for await (const batch of snapshot(store.db, 10, policy)) {
      titles.push(...batch.filter(({ adult }) => !adult).map(({ title }) => title));
    }
    return titles.sort();
  }

  test('shows GIFs from relays when they are rated, and not while a network is missing', async () => {
    for (const name of NAMES) await take(name);
    expect(await shown()).toEqual([]);
    const without = createJudge({ log, file: 'no-such-file.onnx' });
    const warn = vi.spyOn(log, 'warn');
    await rate({ judge: without });
    await without.close();
    expect(warn.mock.calls.filter((said) => said.includes(UNRATED))).toHaveLength(1);
    warn.mockRestore();
    expect(await shown()).not.toContain('doubtful');
    await rate();
    expect(await shown()).toEqual(['calm', 'cleared']);
  });

  test('does not show a GIF whose title is nothing but offensive words, until a person has looked', async () => {
    const id = await take('calm', { title: 'Slander!' });
    await take('cleared', { title: 'slander and gossip' });
    await rate();
    expect(await findRating(store.db, id)).toEqual({ rating: 'review', saidBy: 'model' });
    expect(await shown()).toEqual(['slander and gossip']);
  });

  test('retries a GIF if a process died while rating it', async () => {
    const id = await take('calm');
    const hasty = createLooks({ log, limitMs: 1 }); // no process can load and respond within a millisecond
    expect(await rate({ looks: hasty })).toBe(false);
    await hasty.close();
    expect([await findRating(store.db, id), await shown()]).toEqual([undefined, []]);
    expect(await rate()).toBe(true);
    expect(await findRating(store.db, id)).toEqual({ rating: 'safe', saidBy: 'model' });
    expect(await rate()).toBe(false);
  });

  test('can be lowered only by an operator, and raised by any mark', async () => {
    const [calm, alarming] = [await take('calm'), await take('alarming')];
    await rate();
    expect(await shown()).toEqual(['calm']);
    await rateByOperator(store.db, alarming, 'safe');
    expect(await shown()).toEqual(['alarming', 'calm']);
    const records = await pageOfGifs(store.db, '', 10);
    await recordGifs(
      store.db,
      records.map((record) => ({ ...record, adult: true })),
    );
    expect(await shown()).toEqual(['alarming']);
    await rateByOperator(store.db, calm, 'safe');
    expect(await shown()).toEqual(['alarming', 'calm']);
    await rateByOperator(store.db, calm, 'adult');
    expect(await shown()).toEqual(['alarming']);
    expect(await rateByOperator(store.db, 'unknown.gif', 'safe')).toBe(false);
  });

  test('removes GIFs that look like a blocked GIF', async () => {
    const [calm, doubtful] = [await take('calm', { source: 'folder' }), await take('doubtful', { source: 'folder' })];
    await rate();
    expect(await blockGif(store.db, doubtful)).toBe(1);
    expect(await hiddenIds(store.db)).toEqual([doubtful]);
    expect(await shown()).toEqual(['calm']);
    expect(await blockGif(store.db, 'unknown.gif')).toBeNull();
    expect(await findRating(store.db, calm)).toEqual({ rating: 'safe', saidBy: 'model' });
  });

  test('hides another file that looks like a blocked GIF', async () => {
    const blocked = await take('doubtful', { source: 'folder' });
    await rate();
    await blockGif(store.db, blocked);
    await take('calm', { source: 'folder' });
    const copy = await take('doubtful', {
      source: 'folder',
      bytes: Buffer.concat([gifs.get('doubtful')!, Buffer.of(0)]),
    });
    expect(copy).not.toBe(blocked);
    await rate();
    expect((await hiddenIds(store.db)).sort()).toEqual([blocked, copy].sort());
    expect(await shown()).toEqual(['calm']);
  });
});
