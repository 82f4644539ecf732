import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { type Database, inTransaction, quickLimits } from '../platform/db/index.ts';
import {
  claimJob,
  closeJob,
  countClaims,
  countJobs,
  dropJobs,
  enqueueJobs,
  hasFreeJobs,
  type Job,
  refusalsNamed,
  refusalsOf,
  refuseJobs,
  releaseJobs,
  saveJob,
} from '../platform/jobs/index.ts';
import { findNodes, keepPresent } from '../platform/nodes/index.ts';
import { describeClock } from './service.ts';
import { onEachDatabase } from './testing/databases.ts';

async function claimAll(db: Database, worker = 'me'): Promise<Job<unknown>[]> {
  const jobs: Job<unknown>[] = [];
  for (let job = await claimJob(db, 'test', worker); job !== undefined; job = await claimJob(db, 'test', worker)) {
    jobs.push(job);
  }
  return jobs;
}

const jobs = (count: number) => Array.from({ length: count }, (_, n) => ({ key: String(n), run: 'run', payload: {} }));

/** Runs `act` while a live process is in the list. */
async function whileAlive(db: Database, act: (id: string) => Promise<void>): Promise<void> {
  const presence = keepPresent(db, { machine: 'a', role: 'work' }, (error) => {
    throw error;
  });
  await vi.waitFor(async () => expect(await findNodes(db)).not.toEqual([]), { timeout: 480_000 });
  await act(presence.id).finally(() => presence.stop());
}

onEachDatabase((opened) => {
  describe('jobs', () => {
    it('with the same key in one call are one job: the first one, or the last refusal', async () => {
      const { db } = opened;
      const job = (n: number) => ({ key: 'same', run: 'run', payload: { n } });
      await enqueueJobs(db, 'test', [job(1), job(2)]);
      expect((await claimAll(db)).map(({ payload }) => payload)).toEqual([{ n: 1 }]);
      const refusal = (reason: string) => ({ key: 'bad', run: 'run', reason, message: 'bad' });
      await refuseJobs(db, 'test', [refusal('first'), refusal('last')]);
      expect((await refusalsOf(db, 'run')).map(({ reason }) => reason)).toEqual(['last']);
    });

    it('with NUL characters in their texts are stored', async () => {
      const { db } = opened;
      await enqueueJobs(db, 'test', [{ key: 'a\0b', run: 'run', payload: {} }]);
      expect(await claimAll(db)).toHaveLength(1);
    });

    it('can have keys that are longer than an index allows', async () => {
      const { db } = opened;
      const long = (end: string) => ({ key: `/${'ü/'.repeat(1_400)}${end}`, run: 'run', payload: { end } });
      await enqueueJobs(db, 'test', [long('a'), long('b')]);
      expect((await claimAll(db)).map(({ payload }) => payload)).toEqual([{ end: 'a' }, { end: 'b' }]);
      const { key } = long('c');
      await refuseJobs(db, 'test', [{ key, run: 'run', reason: 'bad', message: 'not a GIF' }]);
      expect(await refusalsNamed(db, ['test'], key)).toMatchObject([{ run: 'run', reason: 'bad' }]);
      expect(await refusalsNamed(db, ['test'], long('d').key)).toEqual([]);
    });

    it('are claimed only once by several workers, oldest first', async () => {
      const { db } = opened;
      await enqueueJobs(db, 'test', jobs(20));
      const takers = await Promise.all(Array.from({ length: 4 }, () => claimAll(db)));
      expect(
        takers
          .flat()
          .map(({ key }) => Number(key))
          .sort((a, b) => a - b),
      ).toEqual([...Array(20).keys()]);
      for (const taken of takers)
        expect(taken.map(({ seq }) => seq)).toEqual(taken.map(({ seq }) => seq).sort((a, b) => a - b));
      expect(await closeJob(db, takers.flat()[0]!)).toBe(true);
      expect(await countJobs(db, 'ready', { kinds: ['test'], runs: ['run'] })).toBe(19);
      expect(await countJobs(db, 'done', { runs: ['other'] })).toBe(0);
    });

    it('of one request can be claimed alone', async () => {
      const { db } = opened;
      await enqueueJobs(db, 'test', jobs(2));
      await enqueueJobs(db, 'test', [{ key: 'mine', run: 'mine', payload: {} }]);
      expect(await claimJob(db, 'test', 'me', 'mine')).toMatchObject({ key: 'mine' });
      expect(await claimJob(db, 'test', 'me', 'mine')).toBeUndefined();
      expect(await claimAll(db)).toHaveLength(2);
    });

    it('of a live worker are claimed by no other worker, and jobs of a dead worker come last', async () => {
      const { db } = opened;
      await enqueueJobs(db, 'test', jobs(2));
      await whileAlive(db, async (id) => {
        const [job] = [await claimJob(db, 'test', id)];
        expect(job).toMatchObject({ key: '0' });
        expect(await claimAll(db, 'second')).toMatchObject([{ key: '1' }]);
        await releaseJobs(db, 'second');
        expect(await hasFreeJobs(db, ['test'])).toBe(true);
      });
      expect((await claimAll(db, 'third')).map(({ key }) => key)).toEqual(['1', '0']);
    });

    it('that were queued again, or claimed by another worker, are not closed by the first worker', async () => {
      const { db } = opened;
      await enqueueJobs(db, 'test', jobs(1));
      const [first] = await claimAll(db, 'first');
      const [second] = await claimAll(db, 'second');
      expect(await closeJob(db, first!)).toBe(false);
      await enqueueJobs(db, 'test', [{ key: '0', run: 'again', payload: { is: 'new' } }]);
      expect(await closeJob(db, second!)).toBe(false);
      await saveJob(db, second!, { is: 'old' });
      const [third] = await claimAll(db, 'third');
      expect(third!.payload).toEqual({ is: 'new' });
      expect(await closeJob(db, third!)).toBe(true);
    });

    it('can be dropped, except those that a live worker has claimed', async () => {
      const { db } = opened;
      await enqueueJobs(db, 'test', jobs(3));
      await whileAlive(db, async (id) => {
        await claimJob(db, 'test', id);
        expect(await dropJobs(db, ['test'])).toBe(2);
        expect(await countJobs(db, 'ready')).toBe(1);
        expect(await countClaims(db)).toEqual(new Map([[id, 1]]));
      });
    });

    it('are refused after ten workers died on them, but not after workers gave them back', async () => {
      const { db } = opened;
      await enqueueJobs(db, 'test', jobs(1));
      for (let n = 0; n < 20; n++) {
        expect(await claimAll(db, 'careful')).toHaveLength(1);
        await releaseJobs(db, 'careful');
      }
      for (let n = 0; n < 10; n++) expect(await claimAll(db, `dead ${n}`)).toHaveLength(1);
      expect(await claimAll(db)).toEqual([]);
      expect(await refusalsOf(db, 'run')).toMatchObject([{ key: '0', reason: 'gave_up' }]);
      await enqueueJobs(db, 'test', [{ key: '0', run: 'again', payload: {} }]);
      expect(await claimAll(db)).toHaveLength(1);
    });
  });

  it.each([
    ['ahead of', 60],
    ['behind', -60],
  ])("a machine's clock that is %s the clock of the database is described", async (how, seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
    const described = await describeClock(opened.db).finally(() => vi.useRealTimers());
    expect(described).toMatch(new RegExp(`^this machine's clock is (?:59|6\\d) s ${how} `));
  });

  it("a machine's clock that differs by a few seconds is not described", async () => {
    for (const seconds of [-20, 0, 20]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
      expect(await describeClock(opened.db).finally(() => vi.useRealTimers())).toBeUndefined();
    }
  });

  it('a process is listed until it stops', async () => {
    const { db } = opened;
    await whileAlive(db, async (id) => {
      expect(await findNodes(db)).toMatchObject([{ id, machine: 'a', role: 'work', build: null }]);
    });
    expect(await findNodes(db)).toEqual([]);
  });

  it('a process counts as dead after half a minute of silence by the database clock', async () => {
    const { db } = opened;
    await whileAlive(db, async () => {
      await sql`update nodes set seen_at = seen_at - 31`.execute(db);
      expect(await findNodes(db)).toEqual([]);
    });
  });
});

onEachDatabase(
  (opened) => {
    it('a transaction that cannot begin in time leaves no unusable connection behind', async () => {
      const { db } = opened;
      const writer = await db.startTransaction().execute();
      for (let n = 0; n < 2; n++) await expect(inTransaction(db, async () => {})).rejects.toThrow('timeout');
      await writer.commit().execute();
      await inTransaction(db, async () => {});
      const reads = Array.from({ length: 8 }, () => sql<{ n: number }>`select 1 as n`.execute(db));
      for (const { rows } of await Promise.all(reads)) expect(rows).toEqual([{ n: 1 }]);
    });
  },
  { only: 'PostgreSQL', limits: quickLimits(4, 500) },
);

onEachDatabase(
  (opened) => {
    it('transactions that wait for each other leave connections for reading', async () => {
      const { db } = opened;
      const query = sql<{ n: number }>`select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory'`;
      const countBlocked = async () => (await query.execute(db)).rows[0]!.n;
      const writer = await db.startTransaction().execute();
      const waiting = Promise.all(Array.from({ length: 6 }, () => inTransaction(db, async () => {})));
      try {
        await vi.waitUntil(async () => (await countBlocked()) > 0, { timeout: 60_000 });
        expect(await countBlocked()).toBe(1);
      } finally {
        await writer.commit().execute();
        await waiting;
      }
    });
  },
  { only: 'PostgreSQL', limits: quickLimits(4, 120_000) },
);
