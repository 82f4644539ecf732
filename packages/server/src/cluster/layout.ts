import type { SpaceShape } from '@zoetrope/search';
import { type ClusterClient, ClusterRefusal, COSINE } from '../platform/opensearch/index.ts';

/** The layout of a catalogue's indexes in the cluster. */
export interface ClusterLayout {
  /** Prefix of all index names. With different prefixes, several services can share a cluster. */
  prefix: string;
  shards: number;
  /** Number of additional copies of each shard. With 1, searches find every GIF even while one node is down. */
  replicas: number;
}

/** A GIF in the cluster. Only GIFs that are safe and shown are in the cluster. */
export interface ClusterDocument {
  id: string;
  /** Former ids. */
  aliases: string[];
  popularity: number;
  /** The `titleKey` of the GIF. */
  titled: number;
  /** The GIF's terms with their impacts (see `impactsOf`). */
  terms: Record<string, number>;
  /** Vectors in int8 steps (see `quantise`). */
  meaning?: number[];
  looks?: number[];
  /** The vectors again, in base64. Searches return them with their hits. */
  meant?: string;
  pictured?: string;
  /** All facts that a response shows (see `encodeStored`), in base64. */
  stored: string;
}

/** Maximum time for a change to an index, including the wait for the cluster's manager. */
const CHANGE_MS = 60_000;
/** Maximum time for a refresh. The first refresh of a large index takes minutes. */
const REFRESH_MS = 1_200_000;
/** Fields that are searched, but not stored with the document. They would double the size of the stored documents. */
const UNSTORED = [
  'titled',
  'terms',
  'meaning',
  'looks',
  'meant',
  'pictured',
] as const satisfies (keyof ClusterDocument)[];

/** Returns the name of an index of GIFs. @param name consists of a revision, an underscore, letters and digits */
export function gifsIndex({ prefix }: ClusterLayout, name: string): string {
  return `${prefix}-gifs-${name}`;
}

/** Returns the name of the index that holds the state and the vocabulary. */
export function stateIndex({ prefix }: ClusterLayout): string {
  return `${prefix}-state`;
}

/** Returns the name under which an index is written (see `openForWrites`). */
export function writesOf(index: string): string {
  return `${index}-writes`;
}

/**
 * Gives an index the alias under which it is written. If somebody deletes the index, the alias is also deleted, and
 * writes fail. Without an alias, a write to a deleted index would create an index with mappings that the cluster
 * guesses.
 * @returns whether there is such an index
 */
export async function openForWrites(client: ClusterClient, index: string): Promise<boolean> {
  const path = `/${index}/_alias/${writesOf(index)}`;
  return (await client.request({ method: 'PUT', path, deadlineMs: CHANGE_MS })) !== null;
}

interface GifsIndex {
  /** See `ClusterState.format`. Operators can read the format in the index. */
  format: string;
  shards: number;
  spaces: { meaning?: SpaceShape | undefined; looks?: SpaceShape | undefined };
}

/**
 * Creates an index of GIFs, open for writes. Later, `copyIndex` adds the index's copies, and `refreshIndex` makes its
 * GIFs findable.
 */
export async function createGifsIndex(
  client: ClusterClient,
  index: string,
  { format, shards, spaces }: GifsIndex,
): Promise<void> {
  const vectors = Object.entries(spaces).flatMap(([name, space]) => (space ? [[name, vectorField(space)]] : []));
  const body = {
    settings: {
      index: {
        ...{ number_of_shards: shards, number_of_replicas: 0, refresh_interval: '-1', knn: true },
        // The cluster remembers the version of a removed document for this time, so that a late change does not bring
        // the document back.
        gc_deletes: '1h',
      },
    },
    mappings: {
      dynamic: 'strict',
      _meta: { format },
      _source: { excludes: UNSTORED },
      properties: {
        id: { type: 'keyword', index: false },
        aliases: { type: 'keyword' },
        popularity: { type: 'double', index: false },
        titled: { type: 'long', index: false },
        terms: { type: 'rank_features' },
        meant: { type: 'binary', doc_values: true },
        pictured: { type: 'binary', doc_values: true },
        stored: { type: 'binary' },
        ...Object.fromEntries(vectors),
      },
    },
  };
  await create(client, index, body);
  await openForWrites(client, index);
}

/** Lucene's engine needs only Java. Other engines need native libraries, which some installations do not have. */
function vectorField({ dimensions }: SpaceShape) {
  const method = { name: 'hnsw', engine: 'lucene', space_type: COSINE };
  return { type: 'knn_vector', dimension: dimensions, data_type: 'byte', method };
}

/** Adds the additional copies of an index's shards. */
export async function copyIndex(client: ClusterClient, index: string, { replicas }: ClusterLayout): Promise<void> {
  const body = { index: { number_of_replicas: replicas, refresh_interval: '1s' } };
  await client.request({ method: 'PUT', path: `/${index}/_settings`, body, deadlineMs: CHANGE_MS });
}

/**
 * Makes all writes to an index visible to searches. @returns the number of GIFs in the index; undefined if there is no
 * such index
 */
export async function refreshIndex(client: ClusterClient, index: string): Promise<number | undefined> {
  await client.request({ method: 'POST', path: `/${index}/_refresh`, deadlineMs: REFRESH_MS });
  return countGifs(client, index);
}

/** Returns the number of GIFs that searches find in an index; undefined if there is no such index. */
export async function countGifs(client: ClusterClient, index: string): Promise<number | undefined> {
  const path = `/${index}/_count`;
  return (await client.request<{ count: number }>({ method: 'GET', path, deadlineMs: CHANGE_MS }))?.count;
}

/** Returns whether there is an index with this name. */
export async function isIndexThere(client: ClusterClient, index: string, deadlineMs = CHANGE_MS): Promise<boolean> {
  return (await client.request({ method: 'HEAD', path: `/${index}`, deadlineMs })) !== null;
}

/** Creates the index for the state, unless the index exists. */
export async function createStateIndex(client: ClusterClient, layout: ClusterLayout): Promise<void> {
  const body = {
    settings: { index: { number_of_shards: 1, number_of_replicas: layout.replicas } },
    mappings: { dynamic: false },
  };
  await create(client, stateIndex(layout), body);
}

/**
 * Creates an index. It is no error if the index exists, because a request is repeated if a node did not respond in
 * time.
 */
async function create(client: ClusterClient, index: string, body: object): Promise<void> {
  try {
    await client.request({ method: 'PUT', path: `/${index}`, body, deadlineMs: CHANGE_MS });
  } catch (error) {
    if (!(error instanceof ClusterRefusal && error.type === 'resource_already_exists_exception')) throw error;
  }
}

/** Removes all indexes of GIFs except these. */
export async function removeOtherIndexes(
  client: ClusterClient,
  layout: ClusterLayout,
  kept: readonly string[],
): Promise<void> {
  const path = `/${gifsIndex(layout, '*')}?filter_path=*.settings.index.uuid`;
  const found = (await client.request<Record<string, unknown>>({ method: 'GET', path, deadlineMs: CHANGE_MS })) ?? {};
  // The pattern also matches the indexes of services whose prefix starts with the prefix of this service.
  const start = gifsIndex(layout, '');
  const own = Object.keys(found).filter((index) => /^\d+_[0-9a-z]+$/.test(index.slice(start.length)));
  for (const index of own.filter((index) => !kept.includes(index))) {
    await client.request({ method: 'DELETE', path: `/${index}`, deadlineMs: CHANGE_MS });
  }
}
