import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordGifs } from '../catalog/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { type GifRecord, HIDDEN_UNTIL_REVIEW, revision, tables } from '../records/index.ts';
import { DATA_MIGRATIONS } from '../service/migrations.ts';
import {
  countQueues,
  moderate,
  pageOfMoves,
  pageOfQueue,
  settleAwaited,
  stateOf,
  undoMove,
  wantedRevision,
} from './moderation.ts';
import { saveRatings } from './ratings.ts';

const BY = { actor: 'test', now: 0 };

let db: Database;

function gif(id: string): GifRecord {
  const words = { title: 'happy', tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
  const told = { adult: false, popularity: 0, source: 'folder', fallback: [], toldBy: id };
  return { id, sha256: null, verified: 'file', url: null, ...words, ...facts, ...told };
}

beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
  await recordGifs(db, ['a.gif', 'b.gif'].map(gif));
});

afterEach(() => db.destroy());

it('undoing an action keeps later decisions about the same GIF', async () => {
  const hidden = await moderate(db, BY, 'a.gif', { action: 'hide' });
  await moderate(db, BY, 'a.gif', { action: 'edit', edit: { title: 'better' } });
  await moderate(db, BY, 'a.gif', { action: 'adult' });
  await undoMove(db, BY, hidden!.seq);
  expect(await stateOf(db, 'a.gif')).toMatchObject({
    ...{ hidden: false, edit: { title: 'better' } },
    rating: { rating: 'adult', saidBy: 'operator' },
  });
});

it('an edit of one field keeps earlier edits of other fields', async () => {
  await moderate(db, BY, 'a.gif', { action: 'edit', edit: { title: 'better' } });
  await moderate(db, BY, 'a.gif', { action: 'edit', edit: { alt: 'a cat' } });
  expect((await stateOf(db, 'a.gif')).edit).toEqual({ title: 'better', tags: null, alt: 'a cat' });
});

it('an action is refused if another operator acted since the moderator looked', async () => {
  const first = await moderate(db, { actor: 'first', now: 0, reason: 'spam', lastMove: 0 }, 'a.gif', {
    action: 'hide',
  });
  const second = { actor: 'second', now: 1, lastMove: 0 };
  await expect(moderate(db, second, 'a.gif', { action: 'safe' })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('first was first and did "hide" (spam)'),
  });
  expect((await stateOf(db, 'a.gif')).rating).toBe(null);
  await moderate(db, { ...second, lastMove: first!.seq }, 'a.gif', { action: 'safe' });
  expect((await stateOf(db, 'a.gif')).rating?.rating).toBe('safe');
});

it('one build is requested if the served build lacks any of the GIFs that are shown again', async () => {
  for (const id of ['a.gif', 'b.gif']) {
    await moderate(db, BY, id, { action: 'hide' });
    await moderate(db, BY, id, { action: 'show' });
  }
  await settleAwaited(db, (id) => id === 'a.gif');
  expect(await wantedRevision(db)).toBe(await revision(db));
  await moderate(db, BY, 'a.gif', { action: 'hide' });
  await settleAwaited(db, () => false);
  expect(await wantedRevision(db)).toBeLessThan(await revision(db));
});

it('a rating is replaced only by a rating with at least the same authority', async () => {
  const rate = (saidBy: 'model' | 'declared' | 'operator', rating: 'safe' | 'adult') =>
    saveRatings(db, [{ id: 'a.gif', rating, saidBy }]);
  const rating = async () => (await stateOf(db, 'a.gif')).rating;
  await rate('model', 'safe');
  await rate('model', 'adult');
  expect(await rating()).toEqual({ rating: 'adult', saidBy: 'model' });
  await rate('declared', 'safe');
  expect(await rating()).toEqual({ rating: 'safe', saidBy: 'declared' });
  await rate('operator', 'adult');
  for (const saidBy of ['model', 'declared'] as const) await rate(saidBy, 'safe');
  expect(await rating()).toEqual({ rating: 'adult', saidBy: 'operator' });
});

it('the queues do not count hidden GIFs', async () => {
  const said = { rating: 'adult', saidBy: 'model' } as const;
  await saveRatings(
    db,
    ['a.gif', 'b.gif'].map((id) => ({ id, ...said })),
  );
  expect(await countQueues(db)).toMatchObject({ withheld: 2 });
  await moderate(db, BY, 'a.gif', { action: 'hide' });
  expect(await countQueues(db)).toMatchObject({ withheld: 1 });
});

const UPLOADED = ['adult', 'edit', 'hide', 'safe', 'show'] as const;

it('every action except an edit ends the review of an upload, and an adult upload stays hidden', async () => {
  const idOf = (action: string) => `${action}.gif`;
  await recordGifs(
    db,
    UPLOADED.map((action) => gif(idOf(action))),
  );
  await tables(db)
    .updateTable('gifs')
    .set({ hidden: HIDDEN_UNTIL_REVIEW })
    .where('id', 'in', UPLOADED.map(idOf))
    .execute();
  expect(await pageOfQueue(db, 'uploaded', { after: '', limit: 9 })).toEqual(UPLOADED.map(idOf));
  expect(await pageOfQueue(db, 'uploaded', { after: 'edit.gif', limit: 2 })).toEqual(['hide.gif', 'safe.gif']);
  const states: Record<string, unknown> = {};
  for (const action of UPLOADED) {
    await moderate(db, BY, idOf(action), action === 'edit' ? { action, edit: { title: 'better' } } : { action });
    const { inReview, hidden } = await stateOf(db, idOf(action));
    states[action] = { inReview, hidden };
  }
  expect(states).toEqual({
    adult: { inReview: false, hidden: true },
    edit: { inReview: true, hidden: false },
    hide: { inReview: false, hidden: true },
    safe: { inReview: false, hidden: false },
    show: { inReview: false, hidden: false },
  });
  expect(await pageOfQueue(db, 'uploaded', { after: '', limit: 9 })).toEqual(['edit.gif']);
  expect(await pageOfQueue(db, 'hidden', { after: '', limit: 9 })).toEqual(['adult.gif', 'hide.gif']);
});

it('the actions on one GIF or on all are listed latest first, and can be limited to those before a given action', async () => {
  for (const id of ['a.gif', 'b.gif', 'a.gif'])
    await moderate(db, BY, id, { action: id === 'a.gif' ? 'adult' : 'hide' });
  const all = await pageOfMoves(db, {});
  expect(all.map(({ gif: id }) => id)).toEqual(['b.gif', 'a.gif']);
  expect(await pageOfMoves(db, { before: all[0]!.seq })).toEqual(all.slice(1));
  expect(await pageOfMoves(db, { gif: 'b.gif' })).toEqual(all.slice(0, 1));
});
