import { parentPort, workerData } from 'node:worker_threads';
import { BuildError } from '@zoetrope/search';
import { type Loaded, type LoadOrder, readBuild } from './load.ts';

/* A thread that loads one build and ends: see `loadBuildAside`. */

function load({ folder, manifest, threads }: LoadOrder): Loaded {
  try {
    return { build: readBuild(folder, manifest, threads) };
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    return { damage: error.message };
  }
}

parentPort!.postMessage(load(workerData as LoadOrder));
