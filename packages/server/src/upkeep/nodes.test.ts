import { expect, it, vi } from 'vitest';
import { kindsOfMachine } from '../ingest/index.ts';
import type { Database } from '../platform/db/index.ts';
import { countJobs, enqueueJobs } from '../platform/jobs/index.ts';
import { findNodes, keepPresent, type Presence } from '../platform/nodes/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { forgetMachine, reportOnNodes } from './nodes.ts';

/** Queues two jobs for each of two machines. @returns the presence of `here`, the machine that is alive */
async function startHere(db: Database): Promise<Presence> {
  for (const machine of ['here', 'there']) {
    const job = { key: `${machine}:/cat.gif`, run: 'run', payload: {} };
    for (const kind of kindsOfMachine(machine)) await enqueueJobs(db, kind, [job]);
  }
  const presence = keepPresent(db, { machine: 'here', role: 'work' }, (error) => {
    throw error;
  });
  await vi.waitFor(async () => expect(await findNodes(db)).not.toEqual([]), { timeout: 480_000 });
  return presence;
}

onEachDatabase((opened) => {
  it('jobs are reported as stranded if they need files of a machine without a live process', async () => {
    const { db } = opened;
    const presence = await startHere(db);
    const strandedNow = async () => (await reportOnNodes({ store: { db, databaseUrl: '' } })).stranded;
    const there = { machine: 'there', open: 2 };
    expect(await strandedNow()).toEqual([there]);
    await presence.stop();
    const stranded = await strandedNow();
    expect(stranded.toSorted((a, b) => (a.machine < b.machine ? -1 : 1))).toEqual([
      { machine: 'here', open: 2 },
      there,
    ]);
  });

  it('jobs that need files of a machine are dropped, but not while the machine has a live process', async () => {
    const { db } = opened;
    const presence = await startHere(db);
    await expect(forgetMachine({ store: { db } } as never, 'here')).rejects.toThrow('here has live processes');
    expect(await countJobs(db, 'ready')).toBe(4);
    expect(await forgetMachine({ store: { db } } as never, 'there')).toBe(2);
    await presence.stop();
    expect(await forgetMachine({ store: { db } } as never, 'here')).toBe(2);
    await expect(forgetMachine({ store: { db } } as never, 'here')).rejects.toThrow('No open job needs files of here');
  });
});
