import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesOf, type Part } from './catalogue/catalogue.ts';
import type { Entry } from './catalogue/entry.ts';
import { manifestLine } from './catalogue/manifest.ts';
import { openDrawings } from './drawn.ts';
import { exists, writeWhole } from './files.ts';
import { renderAll } from './pool.ts';
import type { RenderTask } from './worker.ts';

export type { Part } from './catalogue/catalogue.ts';
export { FluentError, type FluentOptions, fetchFluent } from './fluent/fluent.ts';
export { seeded } from './random.ts';

export interface RenderOptions {
  /** Called after every GIF, and once for all GIFs that already existed. */
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
  /** The GIFs to render. Default: the GIFs of `part`. */
  entries?: readonly Entry[];
  /** Default: the whole catalogue. */
  part?: Part | undefined;
  /** Folder for drawn GIFs that several data folders share. With an empty string, GIFs are not shared. */
  cache?: string;
}

/**
 * Renders the starter GIFs into `folder` and writes a manifest there: `manifest.jsonl`, or a manifest with the name of
 * the part. The function can be interrupted and called again, because finished files are not rendered again, each file
 * is moved into place by a rename, and the manifest is written last. Returns the manifest's path.
 */
export async function renderStarter(folder: string, options: RenderOptions = {}): Promise<string> {
  const { part } = options;
  const entries = options.entries ?? entriesOf(part);
  await mkdir(folder, { recursive: true });
  const drawings = await openDrawings(options.cache ?? '');
  const missing: RenderTask[] = [];
  for (const entry of entries) {
    const file = join(folder, `${entry.name}.gif`);
    if (!(await exists(file)) && !(await drawings.copyTo(file, entry))) missing.push({ entry, file });
  }
  let done = entries.length - missing.length;
  options.onProgress?.(done, entries.length);
  await renderAll(missing, () => options.onProgress?.(++done, entries.length), options.signal);
  for (const { entry, file } of missing) await drawings.keep(file, entry);
  const manifest = join(folder, part === undefined ? 'manifest.jsonl' : `manifest-${part}.jsonl`);
  await writeWhole(manifest, entries.map((entry) => `${JSON.stringify(manifestLine(entry))}\n`).join(''));
  return manifest;
}
