import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { LoadOrder } from './load.ts';

/* A thread that loads one build and ends: see `loadBuildAside`. Whoever answers goes before it. */

// Linux says this of the thread that calls; elsewhere it would be said of the whole service.
if (process.platform === 'linux') os.setPriority(0, os.constants.priority.PRIORITY_LOW);
const { tryBuild } = await import('./load.ts');

parentPort!.postMessage(tryBuild(workerData as LoadOrder));
