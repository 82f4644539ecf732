import { parentPort, workerData } from 'node:worker_threads';
import { serveOn } from './serving.ts';

// Entry point of a serving thread.
await serveOn(workerData, parentPort!);
