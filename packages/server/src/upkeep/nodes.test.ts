import { expect, it, vi } from 'vitest';
import { kindsOfMachine } from '../ingest/index.ts';
import type { Database } from '../platform/db/index.ts';
import { claimJob, countJobs, enqueueJobs } from '../platform/jobs/index.ts';
import { findNodes, keepPresent, type Presence } from '../platform/nodes/index.ts';
import { bumpRevision } from '../records/index.ts';
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
  it('a process is reported with its claimed jobs and the changes that its build does not show', async () => {
    const { db } = opened;
    await bumpRevision(db);
    const served = { build: 'b1', revision: 1 };
    const presence = keepPresent(db, { machine: 'here', role: 'serve', served: () => served }, () => {});
    const other = keepPresent(db, { machine: 'there', role: 'relays' }, () => {});
    await Promise.all([presence.joined, other.joined]);
    await bumpRevision(db);
    const jobs = ['one', 'two', 'three'].map((key) => ({ key, run: 'run', payload: {} }));
    await enqueueJobs(db, 'preview', jobs);
    for (const _ of ['first', 'second']) await claimJob(db, 'preview', presence.id);
    const report = await reportOnNodes({ store: { db, databaseUrl: '' } });
    expect(report).toMatchObject({ revision: 2, jobs: { open: 3, oldestSeconds: expect.any(Number) } });
    expect(report.nodes.toSorted((a, b) => (a.machine < b.machine ? -1 : 1))).toMatchObject([
      { machine: 'here', role: 'serve', build: 'b1', behind: 1, claims: 2 },
      { machine: 'there', role: 'relays', build: null, behind: null, claims: 0 },
    ]);
    await Promise.all([presence.stop(), other.stop()]);
  });

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
