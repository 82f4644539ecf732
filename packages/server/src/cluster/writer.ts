import {
  BuildError,
  impactsOf,
  MeanCosine,
  type SpaceName,
  type Texts,
  titleKey,
  Vocabulary,
  VocabularyWriter,
} from '@zoetrope/search';
import { systemClock } from '../base/clock.ts';
import { type BuildPolicy, encodeStored, type VectorSources, vectorsOf } from '../builds/index.ts';
import { countShown, type SnapshotGif, snapshot } from '../catalog/index.ts';
import { type Database, inSnapshot } from '../platform/db/index.ts';
import { type ClusterClient, ClusterRefusal } from '../platform/opensearch/index.ts';
import {
  areChangesKnown,
  changedSince,
  forgetChanges,
  IN_CLUSTER,
  isBuildKnown,
  noteBuild,
  revision,
} from '../records/index.ts';
import { type ClusterChange, writeChanges } from './bulk.ts';
import {
  type ClusterDocument,
  copyIndex,
  createGifsIndex,
  createStateIndex,
  gifsIndex,
  isIndexThere,
  openForWrites,
  refreshIndex,
  removeOtherIndexes,
} from './layout.ts';
import type { Cluster } from './open.ts';
import {
  buildOf,
  CLUSTER_FORMAT,
  type ClusterState,
  loadState,
  outdatedIn,
  readState,
  removeParts,
  writePart,
  writeState,
} from './state.ts';

/** Number of GIFs that are read and written together. */
const BATCH = 500;
/** Maximum number of deltas of the vocabulary. If there are more, the next sync merges them into one. */
const MOST_DELTAS = 5;
/** If a larger share of the GIFs than this has changed, the index is rebuilt. */
const REBUILD_FROM = 1 / 10;
/** Up to this number of changes, the index is never rebuilt. */
const FEW = 1_000;

export interface IndexOptions extends Cluster {
  db: Database;
  /** See `BuildOptions`. */
  sources: (looks: Uint8Array | undefined) => Promise<VectorSources>;
  policy: BuildPolicy;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** Returns whether the index is missing or older than the catalogue. */
export async function isIndexDue({ db, client, layout, policy }: Omit<IndexOptions, 'sources'>): Promise<boolean> {
  const state = await readState({ client, layout });
  if (state?.policy !== JSON.stringify(policy) || state.revision !== (await revision(db))) return true;
  return !(await isIndexThere(client, state.index));
}

/** Returns whether the index or its state is missing in the cluster, for example because somebody has removed it. */
export async function isIndexMissing(cluster: Cluster): Promise<boolean> {
  const state = await readState(cluster, 'any');
  return state === undefined || !(await isIndexThere(cluster.client, state.index));
}

/**
 * Writes the whole catalogue to a new index, and then publishes it. Until then, searches use the earlier index. If the
 * rebuild fails, the earlier index stays, and the next call starts again. Only one process can run this at a time, so
 * the caller must hold the catalogue's writer lock.
 */
export async function rebuildIndex(options: IndexOptions): Promise<ClusterState> {
  const { client, layout, db, policy } = options;
  await createStateIndex(client, layout);
  const earlier = await readState({ client, layout }, 'any');
  const sources = await options.sources(undefined);
  const state = await inSnapshot(db, async (trx) => {
    const now = await revision(trx);
    const name = nameAt(now);
    const index = gifsIndex(layout, name);
    const written = { ...options, db: trx, sources, index, now };
    const base = await countWords(written);
    const vocabulary = new Vocabulary([base]);
    await createGifsIndex(client, index, { format: CLUSTER_FORMAT, shards: layout.shards, spaces: sources });
    const { meanCosine, gifs } = await writeAll(written, vocabulary);
    await writePart(client, layout, name, base);
    const entry = { name, revision: now, manifest: base.manifest };
    return {
      ...{ format: CLUSTER_FORMAT, index, revision: now, policy: JSON.stringify(policy), gifs, retired: 0 },
      ...{ vocabulary: [entry], outdated: outdatedIn(earlier, [entry]), ...spacesOf(sources, meanCosine) },
    };
  });
  await copyIndex(client, state.index, layout);
  const found = await refreshIndex(client, state.index);
  if (found !== state.gifs) throw new Error(`the index ${state.index} has ${found} GIFs instead of ${state.gifs}`);
  const published = await publish(options, state, earlier);
  await removeOtherIndexes(client, layout, earlier ? [state.index, earlier.index] : [state.index]);
  await forgetChanges(db, builtAs(published));
  return published;
}

interface Writing extends Omit<IndexOptions, 'sources'> {
  sources: VectorSources;
  index: string;
  now: number;
}

async function countWords({ db, policy, signal }: Writing) {
  const writer = new VocabularyWriter(undefined, policy.words);
  for await (const gifs of snapshot(db, BATCH, policy)) {
    for (const gif of gifs) if (!gif.adult) writer.add(gif);
    signal?.throwIfAborted();
  }
  return writer.finish();
}

async function writeAll(
  { db, client, index, now, policy, sources, onProgress, signal }: Writing,
  vocabulary: Vocabulary,
): Promise<{ meanCosine: number; gifs: number }> {
  const mean = new MeanCosine(sources.meaning?.dimensions ?? 0);
  const total = await countShown(db, policy);
  let [done, written] = [0, 0];
  for await (const gifs of snapshot(db, BATCH, policy)) {
    const safe = gifs.filter(({ adult }) => !adult);
    const vectors = await vectorsOf(db, safe, sources, policy);
    for (const { meaning } of vectors) if (isAny(meaning)) mean.add(meaning);
    await writeChanges(client, index, toDocuments(safe, vectors, vocabulary, policy), now);
    written += safe.length;
    done += gifs.length;
    onProgress?.(done, total);
    signal?.throwIfAborted();
  }
  return { meanCosine: mean.value, gifs: written };
}

function spacesOf({ meaning, looks }: VectorSources, meanCosine: number): Pick<ClusterState, 'meaning' | 'looks'> {
  const shape = ({ model, dimensions }: { model: string; dimensions: number }) => ({ model, dimensions });
  return {
    ...(meaning && { meaning: { ...shape(meaning), meanCosine } }),
    ...(looks && { looks: { ...shape(looks), figures: Buffer.from(looks.figures ?? []).toString('base64') } }),
  };
}

/**
 * Writes the changes of the catalogue since the published state. Writes the whole catalogue if the changes are not
 * known, if much has changed, if the models or the policy have changed, or if something in the cluster is missing or
 * damaged. As with `rebuildIndex`, only one process can run this at a time.
 * @returns the published state
 */
export async function syncIndex(options: IndexOptions): Promise<ClusterState> {
  const { client, layout, db, policy } = options;
  const state = await readState({ client, layout });
  if (state === undefined || state.policy !== JSON.stringify(policy)) return rebuildIndex(options);
  if (!(await isBuildKnown(db, builtAs(state)))) return rebuildIndex(options);
  const base = await readBase(options, state);
  if (base === undefined) return rebuildIndex(options);
  const sources = await options.sources(state.looks && Buffer.from(state.looks.figures, 'base64'));
  if (!haveSameModels(state, sources)) return rebuildIndex(options);
  const [first] = state.vocabulary;
  const next = await inSnapshot(db, async (trx) => {
    const now = await revision(trx);
    if (now === state.revision) return state;
    // A merge of the deltas reads the changes since the base again, so these changes must be known.
    if (!(await areChangesKnown(trx, first!.revision))) return undefined;
    const sinceBase = await changedSince(trx, first!.revision);
    if (sinceBase.length > Math.max(FEW, REBUILD_FROM * state.gifs)) return undefined;
    return writeChangesSince(state, base, { ...options, db: trx, sources, index: state.index, now });
  });
  if (next === undefined) return rebuildIndex(options);
  return next === state ? state : publish(options, next, state);
}

/** Returns the base of the vocabulary; undefined if the base or a delta is damaged, or if the index is gone. */
async function readBase({ client, layout }: IndexOptions, state: ClusterState): Promise<Vocabulary | undefined> {
  if ((await refreshIndex(client, state.index)) === undefined) return undefined;
  // An index made by an earlier version of this program has no alias.
  if (!(await openForWrites(client, state.index))) return undefined;
  const { vocabulary } = await loadState({ client, layout }, state);
  try {
    new Vocabulary(vocabulary); // checks the deltas: no other machine could open a state with a damaged delta
    return new Vocabulary([vocabulary[0]]);
  } catch (error) {
    if (error instanceof BuildError) return undefined;
    throw error;
  }
}

async function writeChangesSince(state: ClusterState, base: Vocabulary, options: Writing): Promise<ClusterState> {
  const { db, client, layout, index, now, policy, signal } = options;
  const changed = await changedSince(db, state.revision);
  const isMerge = state.vocabulary.length > MOST_DELTAS;
  const delta = new VocabularyWriter(base, policy.words);
  const left = new Set(changed);
  let added = 0;
  for await (const some of snapshot(db, BATCH, policy, changed)) {
    signal?.throwIfAborted();
    const safe = some.filter(({ adult }) => !adult);
    const vectors = await vectorsOf(db, safe, options.sources, policy);
    const documents = toDocuments(safe, vectors, base, policy);
    const created = await writeChanges(client, index, documents, now);
    for (const gif of safe) {
      left.delete(gif.id);
      delta.add(gif, created.has(gif.id) ? 'new' : 'replaced');
    }
    added += created.size;
  }
  await removeGifs(client, index, [...left], now);
  const name = nameAt(now);
  const part = isMerge ? await mergedDelta(options, base, state) : delta.finish();
  await writePart(client, layout, name, part);
  const kept = isMerge ? state.vocabulary.slice(0, 1) : state.vocabulary;
  const entries = [...kept, { name, revision: now, manifest: part.manifest }];
  const retired = state.retired + changed.length - added;
  return { ...state, revision: now, retired, vocabulary: entries, outdated: outdatedIn(state, entries) };
}

/**
 * Counts the terms of all GIFs that have changed since the base of the vocabulary. Which of these GIFs are in the base
 * is not known, so completion counts replaced GIFs twice until the next rebuild.
 */
async function mergedDelta({ db, policy }: Writing, base: Vocabulary, { vocabulary }: ClusterState) {
  const writer = new VocabularyWriter(base, policy.words);
  const changed = await changedSince(db, vocabulary[0]!.revision);
  for await (const gifs of snapshot(db, BATCH, policy, changed)) {
    for (const gif of gifs) if (!gif.adult) writer.add(gif, 'new');
  }
  return writer.finish();
}

async function removeGifs(client: ClusterClient, index: string, ids: readonly string[], now: number): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH) {
    await writeChanges(client, index, ids.slice(from, from + BATCH), now);
  }
}

/** Makes a state's GIFs findable, then publishes the state. */
async function publish(
  { db, client, layout }: IndexOptions,
  state: ClusterState,
  earlier: ClusterState | undefined,
): Promise<ClusterState> {
  const gifs = await refreshIndex(client, state.index);
  if (gifs === undefined)
    throw new ClusterRefusal(404, '', `the index ${state.index} was removed while it was written`);
  const published = { ...state, gifs };
  await noteBuild(db, builtAs(published));
  await writeState(client, layout, published);
  await removeParts(client, layout, earlier?.outdated ?? []);
  return published;
}

/** Returns the name of an index or of a part of the vocabulary. It must match the pattern of `build` in responses. */
function nameAt(revision: number): string {
  return `${revision}_${systemClock.now().toString(36)}`;
}

/** In the catalogue, the name of a state is its latest part, just as the name of a build is its latest segment. */
function builtAs(state: ClusterState) {
  return { build: `${IN_CLUSTER}${buildOf(state)}`, revision: state.revision };
}

function haveSameModels(state: ClusterState, sources: VectorSources): boolean {
  return (['meaning', 'looks'] as const).every((name) => {
    const [source, space] = [sources[name], state[name]];
    return source?.model === space?.model && source?.dimensions === space?.dimensions;
  });
}

function toDocuments(
  gifs: readonly (SnapshotGif & Texts)[],
  vectors: readonly Partial<Record<SpaceName, Int8Array>>[],
  vocabulary: Vocabulary,
  { words }: BuildPolicy,
): ClusterChange[] {
  const impacts = impactsOf(gifs, vocabulary, words);
  return gifs.map((gif, i): ClusterDocument => {
    const { meaning, looks } = vectors[i]!;
    return {
      id: gif.id,
      aliases: gif.aliases,
      popularity: gif.popularity,
      titled: titleKey(gif),
      terms: Object.fromEntries(impacts[i]!),
      ...(isAny(meaning) && { meaning: [...meaning], meant: toBase64(meaning) }),
      ...(isAny(looks) && { looks: [...looks], pictured: toBase64(looks) }),
      stored: Buffer.from(encodeStored(gif)).toString('base64'),
    };
  });
}

function toBase64({ buffer, byteOffset, byteLength }: Int8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Returns whether a vector has a direction. The cluster refuses vectors that contain only zeros. */
function isAny(vector: Int8Array | undefined): vector is Int8Array {
  return vector?.some((value) => value !== 0) === true;
}
