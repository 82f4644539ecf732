import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogue } from './catalogue.ts';
import type { Entry } from './entry.ts';
import { exists, writeWhole } from './files.ts';
import { manifestLine } from './manifest.ts';
import { renderGif } from './render.ts';

export { type FluentOptions, fetchFluent } from './fluent.ts';

export interface RenderOptions {
  /** Called after every GIF, also for one that was there already. */
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
  /** The GIFs to render; the whole catalogue unless told otherwise. */
  entries?: readonly Entry[];
}

/** Encoding runs on the thread pool while the next frames are drawn here, so that two at a time keep two cores busy. */
const atOnce = 3;

/**
 * Renders the starter GIFs into `folder` and writes `manifest.jsonl` there. May be interrupted and called again:
 * a finished file is not rendered anew, files appear by rename, the manifest comes last. Returns the manifest's path.
 */
export async function renderStarter(folder: string, options: RenderOptions = {}): Promise<string> {
  const entries = options.entries ?? catalogue;
  await mkdir(folder, { recursive: true });
  const waiting = [...entries];
  let done = 0;
  const work = async () => {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
      options.signal?.throwIfAborted();
      await renderFile(folder, entry);
      options.onProgress?.(++done, entries.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const manifest = join(folder, 'manifest.jsonl');
  await writeWhole(manifest, entries.map((entry) => `${JSON.stringify(manifestLine(entry))}\n`).join(''));
  return manifest;
}

async function renderFile(folder: string, entry: Entry): Promise<void> {
  const file = join(folder, `${entry.name}.gif`);
  if (await exists(file)) return;
  await writeWhole(file, await renderGif(entry));
}
