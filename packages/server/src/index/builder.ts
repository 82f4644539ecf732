import { BuildWriter, FORMAT_VERSION } from '@zoetrope/search';
import { countGifs, revision, snapshot } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { PublishedManifest } from './manifest.ts';
import { publishBuild, readPublished } from './publish.ts';
import { encodeStored } from './stored-gif.ts';

export interface BuildOptions {
  db: Database;
  /** Folder the builds lie in. */
  folder: string;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** True when the published build does not show the newest catalogue, or there is none. */
export async function isBuildDue(db: Database, folder: string): Promise<boolean> {
  const published = await readPublished(folder);
  return (
    published === undefined || published.engine.format !== FORMAT_VERSION || published.revision !== (await revision(db))
  );
}

/** Makes a build of the catalogue as it is now and publishes it: snapshot -> write -> publish. */
export async function makeBuild({ db, folder, onProgress, signal }: BuildOptions): Promise<PublishedManifest> {
  const { output, shows } = await db.transaction().execute(async (trx) => {
    const shows = await revision(trx);
    const total = await countGifs(trx);
    const writer = new BuildWriter();
    let done = 0;
    for await (const gif of snapshot(trx)) {
      writer.add({ ...gif, stored: encodeStored(gif) });
      if (++done % 1_000 === 0) {
        onProgress?.(done, total);
        signal?.throwIfAborted();
      }
    }
    onProgress?.(done, total);
    return { output: writer.finish(), shows };
  });
  return publishBuild(folder, output, shows);
}
