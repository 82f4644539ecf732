import { systemClock } from '../../base/clock.ts';
import { tellingOnce } from '../../base/keep-looking.ts';
import type { Metrics } from '../../base/metrics.ts';
import { keepDoing, type Stoppable } from '../../base/repeat.ts';
import { countsSince, recordHistory } from '../../history/index.ts';
import { soon } from '../../platform/db/index.ts';
import { describeQueue } from '../../platform/jobs/index.ts';
import type { Service } from '../../service/index.ts';

/** Time between two rows of the history. A process that is killed loses the counts of this time. */
const SAVE_MS = 60_000;

/** Saves the counts of searches every minute, and when the service stops. Counts that could not be saved are saved later. */
export function keepHistory(
  { store, log }: Pick<Service, 'store' | 'log'>,
  { metrics, gifs }: { metrics: Metrics; gifs: () => number },
): Stoppable {
  let saved = metrics.countsOf('search');
  const save = tellingOnce(log, 'could not save the counts of searches for the console', async () => {
    await store.ready();
    const counts = metrics.countsOf('search');
    const { open: openJobs } = await describeQueue(store.db);
    await recordHistory(store.db, countsSince(counts, saved), { gifs: gifs(), openJobs }, systemClock.now());
    saved = counts;
  });
  const saves = keepDoing(SAVE_MS, save, () => {});
  return {
    async stop() {
      await saves.stop();
      await soon(save());
    },
  };
}
