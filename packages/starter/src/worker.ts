import { parentPort } from 'node:worker_threads';
import type { Entry } from './catalogue/entry.ts';
import { renderGif } from './draw/render.ts';
import { writeWhole } from './files.ts';

/** What the starter asks of a worker thread; the answer is the same file's name when it is written. */
export interface RenderTask {
  readonly entry: Entry;
  readonly file: string;
}

parentPort?.on('message', async ({ entry, file }: RenderTask) => {
  await writeWhole(file, await renderGif(entry));
  parentPort?.postMessage(file);
});
