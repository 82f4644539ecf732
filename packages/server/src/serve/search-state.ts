import { within } from '../base/clock.ts';
import { keepDoing, type Stoppable } from '../base/repeat.ts';
import { isIndexMissing } from '../cluster/index.ts';
import type { SearchState } from '../http/index.ts';
import type { Service } from '../service/index.ts';

/** Reports whether searches can reach their index. */
export interface SearchWatch extends Stoppable {
  readonly state: SearchState;
}

/** Time between two checks of the search cluster. */
const CHECK_MS = 2_000;
/** Maximum time for a check. A check waits a little longer than a search waits for the cluster. */
const PATIENCE_MS = 3_000;

/** Checks the search cluster regularly, and logs when it becomes unavailable and when it is available again. */
export function watchSearch({ cluster, log }: Pick<Service, 'cluster' | 'log'>): SearchWatch {
  if (cluster === undefined) return { state: 'ok', stop: async () => {} };
  let state: SearchState = 'ok';
  const late = () => new Error(`no answer within ${PATIENCE_MS} ms`);

  async function look(): Promise<void> {
    const was = state;
    let reason: unknown;
    try {
      state = (await within(PATIENCE_MS, isIndexMissing(cluster!), late)) ? 'gone' : 'ok';
    } catch (error) {
      state = 'away';
      reason = error;
    }
    if (state === was) return;
    if (state === 'ok') log.info('the search cluster works again');
    else if (state === 'gone') log.error('the index in the search cluster is missing; a worker makes it again');
    else log.error({ err: reason }, 'the search cluster (ZOETROPE_OPENSEARCH_URL) is unavailable; searches get 503');
  }

  const watch = keepDoing(CHECK_MS, look, () => {}); // `look` never fails
  return {
    get state() {
      return state;
    },
    stop: () => watch.stop(),
  };
}
