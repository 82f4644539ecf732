import { BuildWriter, FORMAT_VERSION, type SpaceName, type SpaceShape } from '@zoetrope/search';
import { countShown, type GifRecord, revision, type ShownPolicy, snapshot } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type SharedBuild, shareBuild } from './load.ts';
import type { PublishedManifest } from './manifest.ts';
import { manifestOf, publishBuild, readWholePublished } from './publish.ts';
import { encodeStored } from './stored-gif.ts';

/** Number of GIFs read together. */
const BATCH = 500;

/** Source of a space's vectors. */
export interface VectorSource extends SpaceShape {
  /** The vectors of these GIFs, in order; undefined if there is none. */
  vectorsOf(db: Database, gifs: readonly GifRecord[]): Promise<(Int8Array | undefined)[]>;
}

export type VectorSources = Partial<Record<SpaceName, VectorSource | undefined>>;

export interface BuildOptions {
  db: Database;
  /** Folder of the builds. */
  folder: string;
  sources: VectorSources;
  policy: ShownPolicy;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** Whether the published build is missing or older than the catalogue. */
export async function isBuildDue(db: Database, folder: string, policy: ShownPolicy): Promise<boolean> {
  const published = await readWholePublished(folder);
  if (published === undefined || published.engine.format !== FORMAT_VERSION) return true;
  return published.policy !== JSON.stringify(policy) || published.revision !== (await revision(db));
}

/** Makes and publishes a build of the current catalogue: snapshot -> write -> publish. */
export async function makeBuild(options: BuildOptions): Promise<PublishedManifest> {
  const { output, shows } = await writeBuild(options);
  return publishBuild(options.folder, output, shows);
}

/** Makes a build in memory, for when the disk is full. @param threads that will search it */
export async function makeBuildInMemory(options: Omit<BuildOptions, 'folder'>, threads: number): Promise<SharedBuild> {
  const { output, shows } = await writeBuild(options);
  return shareBuild(manifestOf(output, shows), output.sections, threads);
}

async function writeBuild({ db, sources, policy, onProgress, signal }: Omit<BuildOptions, 'folder'>) {
  const { output, shows } = await db.transaction().execute(async (trx) => {
    const shows = await revision(trx);
    const total = await countShown(trx, policy);
    const writer = new BuildWriter(sources);
    let done = 0;
    for await (const gifs of snapshot(trx, BATCH, policy)) {
      const vectors = await vectorsOf(trx, gifs, sources);
      for (const [i, gif] of gifs.entries()) writer.add({ ...gif, stored: encodeStored(gif), vectors: vectors[i]! });
      done += gifs.length;
      onProgress?.(done, total);
      signal?.throwIfAborted();
    }
    return { output: writer.finish(), shows };
  });
  return { output, shows: { revision: shows, policy: JSON.stringify(policy) } };
}

/** The vectors of each GIF, by space. */
async function vectorsOf(
  db: Database,
  gifs: readonly GifRecord[],
  sources: VectorSources,
): Promise<Partial<Record<SpaceName, Int8Array>>[]> {
  const found: Partial<Record<SpaceName, Int8Array>>[] = gifs.map(() => ({}));
  for (const [space, source] of Object.entries(sources) as [SpaceName, VectorSource | undefined][]) {
    if (source === undefined) continue;
    const vectors = await source.vectorsOf(db, gifs);
    for (const [i, vector] of vectors.entries()) if (vector !== undefined) found[i]![space] = vector;
  }
  return found;
}
