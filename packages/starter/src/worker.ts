import { parentPort } from 'node:worker_threads';
import type { Entry } from './catalogue/entry.ts';
import { renderGif } from './draw/render.ts';
import { writeWhole } from './files.ts';

/** A task for a worker thread, which responds with the file's name when the file is written. */
export interface RenderTask {
  readonly entry: Entry;
  readonly file: string;
}

parentPort?.on('message', async ({ entry, file }: RenderTask) => {
  await writeWhole(file, await renderGif(entry));
  parentPort?.postMessage(file);
});
