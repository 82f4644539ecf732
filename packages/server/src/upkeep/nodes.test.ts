import { expect, it, vi } from 'vitest';
import { kindsOfMachine } from '../ingest/index.ts';
import { countJobs, enqueueJobs } from '../platform/jobs/index.ts';
import { findNodes, keepPresent } from '../platform/nodes/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { forgetMachine } from './nodes.ts';

onEachDatabase((opened) => {
  it('jobs that need files of a machine are dropped, but not while the machine has a live process', async () => {
    const { db } = opened;
    for (const machine of ['here', 'there']) {
      const job = { key: `${machine}:/cat.gif`, run: 'run', payload: {} };
      for (const kind of kindsOfMachine(machine)) await enqueueJobs(db, kind, [job]);
    }
    const presence = keepPresent(db, { machine: 'here', role: 'work' }, (error) => {
      throw error;
    });
    await vi.waitFor(async () => expect(await findNodes(db)).not.toEqual([]), { timeout: 120_000 });
    await expect(forgetMachine({ store: { db } } as never, 'here')).rejects.toThrow('here has live processes');
    expect(await countJobs(db, 'ready')).toBe(4);
    expect(await forgetMachine({ store: { db } } as never, 'there')).toBe(2);
    await presence.stop();
    expect(await forgetMachine({ store: { db } } as never, 'here')).toBe(2);
    await expect(forgetMachine({ store: { db } } as never, 'here')).rejects.toThrow('No open job needs files of here');
  });
});
