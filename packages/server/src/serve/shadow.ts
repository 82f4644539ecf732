import { tellingOnce } from '../base/keep-looking.ts';
import { keepDoing, pause, type Stoppable } from '../base/repeat.ts';
import { buildOf, type Cluster, loadState, readState, type SharedCluster } from '../cluster/index.ts';
import { isDead, isWorkFree, runCommand, type Service } from '../service/index.ts';
import { isShadowDue } from '../work/index.ts';
import type { Threads } from './threads.ts';

/** Time between two checks of the cluster. */
const LOOK_MS = 2_000;
/** Updating the cluster takes at most this share of the time. */
const SHARE = 1 / 2;
/** Pause after an update that failed. */
const AGAIN_MS = 30_000;

/** The index in the cluster that is compared with the index in memory. */
export interface ShadowWatch extends Stoppable {
  /** Revision of the catalogue in the cluster. Undefined if there is no index yet. */
  readonly revision: number | undefined;
}

/** Gives the threads each state of the index in the cluster that is compared with the index in memory. */
export function watchShadow(service: Service, shadow: Cluster, threads: Threads): ShadowWatch {
  let known: SharedCluster | undefined;
  const look = tellingOnce(service.log, 'could not load the index that is compared', async () => {
    const state = await readState(shadow);
    if (state === undefined || (known && buildOf(state) === known.manifest.build)) return;
    known = await loadState(shadow, state, known);
    threads.useShadow(known);
  });
  const watch = keepDoing(LOOK_MS, look, () => {}); // `look` never fails
  return {
    get revision() {
      return known?.manifest.revision;
    },
    stop: () => watch.stop(),
  };
}

/**
 * Writes the changes of the catalogue to the cluster that is compared with the index in memory. This runs in another
 * process, so that it delays neither responses nor new builds.
 */
export function keepShadowCurrent(service: Service, shadow: Cluster): Stoppable {
  const { store, log } = service;

  async function look(signal: AbortSignal): Promise<void> {
    await store.ready();
    if (!(await isShadowDue(service, shadow)) || !(await isWorkFree(store, 'shadow'))) return;
    const began = performance.now();
    const end = await runCommand(signal, 'index', 'sync', '--quiet');
    if (isDead(end) && !signal.aborted) log.warn({ err: end.error }, 'could not update the index that is compared');
    await pause(end.code === 0 ? (performance.now() - began) / SHARE : AGAIN_MS, signal);
  }

  return keepDoing(LOOK_MS, look, (error) =>
    log.warn({ err: error }, 'could not look whether the index that is compared is current'),
  );
}
