import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { LoadOrder } from './load.ts';

/**
 * A thread that loads the segments of a build and exits (see `loadBuildAside`). This thread has a lower priority than
 * serving threads.
 */

// On Linux, `setPriority` sets only the priority of the calling thread. On other systems, it would set the priority of
// the whole service.
if (process.platform === 'linux') os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL);
const { tryLoad } = await import('./load.ts');

parentPort!.postMessage(tryLoad(workerData as LoadOrder));
