import {
  BuildError,
  type Earlier,
  FORMAT_VERSION,
  isOffensive,
  NO_WORDS,
  type OffensiveWords,
  type SegmentOutput,
  SegmentWriter,
  type SpaceName,
  type SpaceShape,
} from '@zoetrope/search';
import { countShown, type ShownPolicy, snapshot } from '../catalog/index.ts';
import { type Database, inSnapshot } from '../platform/db/index.ts';
import {
  areChangesKnown,
  changedSince,
  countChangedSince,
  forgetChanges,
  type GifRecord,
  isBuildKnown,
  noteBuild,
  revision,
} from '../records/index.ts';
import { openEarlier } from './earlier.ts';
import { type SharedBuild, shareBuild } from './load.ts';
import type { PublishedManifest } from './manifest.ts';
import {
  type Contents,
  manifestOf,
  publishSegment,
  publishUnchanged,
  readSegments,
  readWholePublished,
} from './publish.ts';
import { encodeStored } from './stored-gif.ts';

/** Number of GIFs that are read at a time. */
const BATCH = 500;

/**
 * Minimum number of GIFs in a base that gets deltas. A smaller catalogue is always built as a whole, which takes a few
 * seconds.
 */
const SMALLEST_BASE = 20_000;
/**
 * Maximum share of the base that can change. If more has changed, the writer makes a new base after it has published
 * the changes.
 */
const BASE_FROM = 1 / 10;
/**
 * Maximum share of changes for a delta. If more has changed, the writer makes a base instead, because a delta would
 * take nearly as long as a base.
 */
const MOST_CHANGED = 1 / 5;
/** Maximum number of deltas. Every search takes a little longer with each delta. */
const MOST_DELTAS = 4;
/**
 * The last delta is replaced if its documents and the documents that it retires are together at most GROWTH times the
 * new changes. The new delta then contains the changes of both. This keeps the number of deltas small, and each change
 * is written only a few times.
 */
const GROWTH = 4;

/** Source of a space's vectors. */
export interface VectorSource extends SpaceShape {
  /** Returns the vectors of these GIFs, in order. The item of a GIF without a vector is undefined. */
  vectorsOf(db: Database, gifs: readonly GifRecord[]): Promise<(Int8Array | undefined)[]>;
}

export type VectorSources = Partial<Record<SpaceName, VectorSource | undefined>>;

/**
 * The rules for the GIFs that a build shows, and the offensive words. A build that was made with another policy is
 * outdated.
 */
export interface BuildPolicy extends ShownPolicy {
  words?: OffensiveWords;
}

export interface BuildOptions {
  db: Database;
  /** Folder of the builds. */
  folder: string;
  /**
   * Returns the sources of vectors.
   * @param looks the means and deviations of the base's appearance space, which the deltas of the base must use, too.
   * Undefined if the base has no such space.
   */
  sources: (looks: Uint8Array | undefined) => Promise<VectorSources>;
  policy: BuildPolicy;
  /** If true, a base is made even if a delta would be enough. */
  whole?: boolean;
  /** Overrides SMALLEST_BASE in tests. A base with fewer GIFs gets no deltas. */
  smallestBase?: number;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** Returns whether the published build is missing or older than the catalogue. */
export async function isBuildDue(db: Database, folder: string, policy: BuildPolicy): Promise<boolean> {
  const published = await readWholePublished(folder);
  if (published === undefined || published.engine.format !== FORMAT_VERSION) return true;
  return published.policy !== JSON.stringify(policy) || published.revision !== (await revision(db));
}

/** Returns whether the base should be replaced, because it is damaged or much has changed since it was made. */
export async function isBaseDue(db: Database, folder: string): Promise<boolean> {
  const published = await readWholePublished(folder);
  if (published === undefined || published.earlier.length === 0) return false;
  const base = (await readSegments(folder, published).catch(orUndefined))?.[0];
  return base === undefined || (await countChangedSince(db, base.revision)) > BASE_FROM * base.engine.documents;
}

/**
 * Publishes a build of the current catalogue. If there is a base to which a delta can be added, writes a delta that
 * contains only the changes. Otherwise writes a new base.
 */
export async function makeBuild(options: BuildOptions): Promise<PublishedManifest> {
  const delta = options.whole ? undefined : await publishDelta(options);
  if (delta !== undefined) return delta;
  const { output, shows } = await writeBase(options);
  const published = await publish(options, output, shows);
  await forgetChanges(options.db, published);
  return published;
}

/**
 * Makes a build in memory. This is needed if the disk is full.
 * @param threads number of threads that will search the build
 */
export async function makeBuildInMemory(options: Omit<BuildOptions, 'folder'>, threads: number): Promise<SharedBuild> {
  const { output, shows } = await writeBase(options);
  return shareBuild(manifestOf(output, shows), [output], threads);
}

type WriteOptions = Omit<BuildOptions, 'folder'>;

interface SegmentWrite {
  output: SegmentOutput;
  shows: Contents;
}

async function writeBase(options: WriteOptions): Promise<SegmentWrite> {
  const { db, policy } = options;
  const sources = await options.sources(undefined);
  return inSnapshot(db, async (trx) => {
    const now = await revision(trx);
    const writer = new SegmentWriter(sources, undefined, policy.words);
    const total = await countShown(trx, policy);
    await addAll(writer, snapshot(trx, BATCH, policy), { ...options, db: trx, sources, total });
    const output = writer.finish();
    const gifs = output.manifest.safeDocuments;
    return { output, shows: { revision: now, policy: JSON.stringify(policy), earlier: [], gifs } };
  });
}

/** @returns undefined if a base has to be made instead */
async function publishDelta(options: BuildOptions): Promise<PublishedManifest | undefined> {
  const { db, folder, policy } = options;
  const segments = await keptSegments(options);
  const last = segments?.at(-1);
  if (segments === undefined || last === undefined) return undefined;
  using earlier = openUnlessDamaged(folder, segments);
  if (earlier === undefined) return undefined;
  const sources = await options.sources(earlier.looks);
  if (!haveSameSpaces(segments[0]!, sources)) return undefined;
  const written = await inSnapshot(db, async (trx) => {
    // Another machine may have made a base in the meantime.
    if (!(await areChangesKnown(trx, last.revision))) return undefined;
    const now = await revision(trx);
    const ids = withCurrentIds(await changedSince(trx, last.revision), earlier.earlier);
    const writer = new SegmentWriter(sources, earlier.earlier, policy.words);
    for (const id of ids) writer.retire(id);
    const gifs = snapshot(trx, BATCH, policy, ids);
    await addAll(writer, gifs, { ...options, db: trx, sources, total: ids.length });
    return { output: writer.finish(), now };
  });
  if (written === undefined) return undefined;
  const { output, now } = written;
  const { documents, safeDocuments, retired, retiredSafe } = output.manifest;
  if (documents + retired === 0) {
    await noteBuild(db, { build: last.build, revision: now });
    return publishUnchanged(folder, last, now);
  }
  const gifs = last.gifs + safeDocuments - retiredSafe;
  return publish(options, output, { revision: now, policy: last.policy, earlier: segments.map(nameOf), gifs });
}

async function publish(
  { db, folder }: BuildOptions,
  output: SegmentOutput,
  shows: Contents,
): Promise<PublishedManifest> {
  const manifest = manifestOf(output, shows);
  await noteBuild(db, manifest);
  await publishSegment(folder, manifest, output);
  return manifest;
}

function nameOf({ build }: PublishedManifest): string {
  return build;
}

/**
 * Returns the published segments that remain when a delta is written. The new delta replaces small deltas at the end:
 * it contains their content and the new changes.
 * @returns undefined if a base has to be made instead
 */
async function keptSegments({ db, folder, policy, smallestBase = SMALLEST_BASE }: BuildOptions) {
  const published = await readWholePublished(folder);
  if (published === undefined || published.policy !== JSON.stringify(policy)) return undefined;
  if (!(await isBuildKnown(db, published))) return undefined;
  const segments = await readSegments(folder, published).catch(orUndefined);
  const base = segments?.[0];
  if (segments?.some(({ engine }) => engine.format !== FORMAT_VERSION) || base === undefined) return undefined;
  const { documents } = base.engine;
  if (documents < smallestBase || (await countChangedSince(db, base.revision)) > MOST_CHANGED * documents)
    return undefined;
  let kept = segments!;
  for (; kept.length > 1; kept = kept.slice(0, -1)) {
    const { engine, revision } = kept.at(-1)!;
    const changes = await countChangedSince(db, revision);
    if (kept.length <= MOST_DELTAS && engine.documents + engine.retired > GROWTH * changes) break;
  }
  return kept;
}

function openUnlessDamaged(folder: string, segments: readonly PublishedManifest[]) {
  try {
    return openEarlier(folder, segments);
  } catch (error) {
    return orUndefined(error);
  }
}

function orUndefined(error: unknown): undefined {
  if (!(error instanceof BuildError)) throw error;
}

/**
 * Adds the id that each changed GIF has in the build, which can be a different id. `retire` also finds documents by
 * former ids, so the GIF with the id in the build must be written again.
 */
function withCurrentIds(changed: readonly string[], { numbering }: Earlier): string[] {
  const current = changed.flatMap((id) => {
    const document = numbering.find(id);
    return document < 0 ? [] : [numbering.id(document)];
  });
  return [...new Set([...changed, ...current])];
}

function haveSameSpaces({ engine }: PublishedManifest, sources: VectorSources): boolean {
  return (['meaning', 'looks'] as const).every((name) => {
    const [source, space] = [sources[name], engine.spaces[name]];
    return source?.model === space?.model && source?.dimensions === space?.dimensions;
  });
}

interface AddOptions extends Pick<BuildOptions, 'policy' | 'onProgress' | 'signal'> {
  db: Database;
  sources: VectorSources;
  total: number;
}

async function addAll(
  writer: SegmentWriter,
  batches: ReturnType<typeof snapshot>,
  { db, sources, policy, total, onProgress, signal }: AddOptions,
): Promise<void> {
  let done = 0;
  for await (const gifs of batches) {
    const vectors = await vectorsOf(db, gifs, sources, policy);
    for (const [i, gif] of gifs.entries()) writer.add({ ...gif, stored: encodeStored(gif), vectors: vectors[i]! });
    done += gifs.length;
    onProgress?.(done, total);
    signal?.throwIfAborted();
  }
}

/** Returns the vectors of each GIF, keyed by space. Searches by meaning do not find offensive GIFs. */
export async function vectorsOf(
  db: Database,
  gifs: readonly GifRecord[],
  sources: VectorSources,
  { words = NO_WORDS }: BuildPolicy,
): Promise<Partial<Record<SpaceName, Int8Array>>[]> {
  const found: Partial<Record<SpaceName, Int8Array>>[] = gifs.map(() => ({}));
  for (const [space, source] of Object.entries(sources) as [SpaceName, VectorSource | undefined][]) {
    if (source === undefined) continue;
    const vectors = await source.vectorsOf(db, gifs);
    for (const [i, vector] of vectors.entries()) if (vector !== undefined) found[i]![space] = vector;
  }
  for (const [i, gif] of gifs.entries()) if (isOffensive(gif, words)) delete found[i]!.meaning;
  return found;
}
