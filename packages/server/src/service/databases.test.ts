import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../platform/db/index.ts';
import { enqueueJobs, openJobs, refusalsOf, refuseJobs } from '../platform/jobs/index.ts';
import { onEachDatabase } from './testing/databases.ts';

onEachDatabase((opened) => {
  describe('jobs', () => {
    it('with the same key in one call are one job: the first one, or the last refusal', async () => {
      const { db } = opened;
      const job = (n: number) => ({ key: 'same', run: 'run', payload: { n } });
      await enqueueJobs(db, 'test', [job(1), job(2)]);
      expect((await openJobs(db, 'test', 9)).map(({ payload }) => payload)).toEqual([{ n: 1 }]);
      const refusal = (reason: string) => ({ key: 'bad', run: 'run', reason, message: 'bad' });
      await refuseJobs(db, 'test', [refusal('first'), refusal('last')]);
      expect((await refusalsOf(db, 'run')).map(({ reason }) => reason)).toEqual(['last']);
    });

    it('with NUL characters in their texts are stored', async () => {
      const { db } = opened;
      await enqueueJobs(db, 'test', [{ key: 'a\0b', run: 'run', payload: {} }]);
      expect(await openJobs(db, 'test', 9)).toHaveLength(1);
    });
  });
});

onEachDatabase((opened) => {
  it('a transaction that cannot begin in time leaves no connection behind that cannot be used', async () => {
    const { db } = opened;
    const writer = await db.startTransaction().execute();
    for (let n = 0; n < 2; n++) await expect(inTransaction(db, async () => {})).rejects.toThrow('timeout');
    await writer.commit().execute();
    await inTransaction(db, async () => {});
    const reads = Array.from({ length: 8 }, () => sql<{ n: number }>`select 1 as n`.execute(db));
    for (const { rows } of await Promise.all(reads)) expect(rows).toEqual([{ n: 1 }]);
  });

  it('transactions that wait for each other leave connections for reading', async () => {
    const { db } = opened;
    const writer = await db.startTransaction().execute();
    const waiting = Array.from({ length: 6 }, () => inTransaction(db, async () => {}));
    await sql`select 1`.execute(db);
    await writer.commit().execute();
    await Promise.all(waiting);
  });
}, 'PostgreSQL');
