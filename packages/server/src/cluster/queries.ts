import { createHash } from 'node:crypto';
import { OFFENSIVE_TERM, type WeighedQuery } from '@zoetrope/search';
import { ServiceError } from '../base/errors.ts';
import { type ClusterClient, ClusterRefusal, COSINE } from '../platform/opensearch/index.ts';
import type { ClusterDocument } from './layout.ts';

/** A GIF that a search found. */
export interface Hit {
  id: string;
  popularity: number;
  /** For the words leg, a score as in `Hits.scores`. For the meaning leg and comparisons, a cosine. */
  score: number;
  /** The `titleKey`. */
  titled?: number;
  meant?: Int8Array;
  pictured?: Int8Array;
  /** The terms of the query that the GIF has, if they were requested. */
  terms?: string[];
}

/** Fields that are returned with the hits although they are not stored with the document. */
export type Extra = 'titled' | 'meant' | 'pictured';

/** One search. `toScore` turns the cluster's score into a `Hit.score`. */
export interface ClusterSearch {
  body: object;
  /**
   * Searches with the same string use the same copies of the index. Different copies find different near neighbours, so
   * the pages of one query would not fit together.
   */
  copies?: string;
  toScore(score: number): number;
}

/** The GIFs that a search considers, and the data that it returns. */
export interface Scope {
  /** Ids that are not found. */
  hidden: readonly string[];
  /** If given, only these ids are found. */
  only?: readonly string[];
  /** Whether GIFs with an offensive word are left out, too. */
  inoffensive?: boolean;
  limit: number;
  extra?: readonly Extra[];
}

/** The cluster's scores have 24 significant bits. Dividing by a power of two keeps weight × impact exact. */
const UNIT = 2 ** 24;

/**
 * Finds GIFs by terms. The cluster adds weight × impact for each term, and 1 for each word of the query that the
 * GIF matches, as `Searcher` does.
 * @param names `named`: each hit comes with its terms
 */
export function byWords({ terms }: Pick<WeighedQuery, 'terms'>, scope: Scope, names?: 'named'): ClusterSearch {
  const should: object[] = terms.map(({ term, weight }) =>
    feature(term, { linear: {}, boost: weight / UNIT, ...(names && { _name: term }) }),
  );
  const covers = terms.reduce((all, term) => all | term.covers, 0);
  for (let word = 1; word <= covers; word *= 2) {
    const matching = terms.filter((term) => (term.covers & word) !== 0);
    if (matching.length === 0) continue;
    const filter = { bool: { should: matching.map(({ term }) => feature(term, {})) } };
    should.push({ constant_score: { filter, boost: 1 } });
  }
  const body = searchOf({ bool: { should, minimum_should_match: 1, ...limits(scope) } }, scope);
  // A GIF with a lower score contains only function words of the query.
  return { body: covers === 0 ? body : { ...body, min_score: 1 }, toScore: same };
}

function feature(term: string, how: object): object {
  return { rank_feature: { field: `terms.${term}`, ...how } };
}

/** Finds the GIFs whose vectors are nearest to a given vector. The score of a GIF is the cosine. */
export function byVector(space: 'meaning' | 'looks', vector: readonly number[], scope: Scope): ClusterSearch {
  const { must_not, filter } = limits(scope);
  const filtered =
    must_not || filter ? { filter: { bool: { ...(must_not && { must_not }), ...(filter && { filter }) } } } : {};
  const query = { knn: { [space]: { vector, k: scope.limit, ...filtered } } };
  // Lucene's score is (1 + cosine) / 2, because its scores cannot be negative.
  const copies = createHash('sha1').update(Int8Array.from(vector)).digest('hex');
  return { body: searchOf(query, scope), copies, toScore: (score) => 2 * score - 1 };
}

/** Compares given GIFs with a vector. GIFs without a vector are not found. */
export function byComparing(
  space: 'meaning' | 'looks',
  vector: readonly number[],
  ids: readonly string[],
): ClusterSearch {
  const scope = { hidden: [], only: ids, limit: ids.length };
  const filter = [{ ids: { values: ids } }, { exists: { field: space } }];
  const params = { field: space, query_value: vector, space_type: COSINE };
  const script = { source: 'knn_score', lang: 'knn', params };
  const query = { script_score: { query: { bool: { filter } }, script } };
  return { body: searchOf(query, scope), toScore: (score) => score - 1 };
}

/** Finds the GIF with an id or a former id. */
export function byAlias(id: string, scope: Scope): ClusterSearch {
  // If this is also a former id of another GIF, the GIF with this current id comes first.
  const former = { constant_score: { filter: { term: { aliases: id } }, boost: 0.5 } };
  const should = [{ ids: { values: [id] } }, former];
  return { body: searchOf({ bool: { should, minimum_should_match: 1, ...limits(scope) } }, scope), toScore: same };
}

/** Finds the most popular GIFs. */
export function byPopularity(scope: Scope): ClusterSearch {
  const query = { bool: { must: { match_all: {} }, ...limits(scope) } };
  return { body: searchOf(query, scope), toScore: same };
}

function limits({ hidden, only, inoffensive }: Scope): { must_not?: object; filter?: object } {
  const not = [
    // A GIF can be hidden by a former id.
    ...(hidden.length > 0 ? [{ ids: { values: hidden } }, { terms: { aliases: hidden } }] : []),
    ...(inoffensive ? [feature(OFFENSIVE_TERM, {})] : []),
  ];
  return {
    ...(not.length > 0 && { must_not: not }),
    ...(only && { filter: { ids: { values: only } } }),
  };
}

/**
 * Equal scores are in the order of `compareDocuments`. The id of a hit is taken from its sort values, and not from the
 * stored fields, because reading the stored fields took a third of the time of a search by words.
 */
function searchOf(query: object, { limit, extra = [] }: Pick<Scope, 'limit' | 'extra'>): object {
  return {
    query,
    size: limit,
    track_total_hits: false,
    stored_fields: '_none_',
    sort: ['_score', { popularity: 'desc' }, { id: 'asc' }],
    docvalue_fields: extra,
  };
}

function same(score: number): number {
  return score;
}

interface Failure {
  type: string;
  reason: string;
  caused_by?: Failure;
}

interface Answer {
  error?: Failure;
  status: number;
  hits: { hits: AnsweredHit[] };
}

interface AnsweredHit {
  /** Score, popularity and id. */
  sort: [number, number, string];
  fields?: { titled?: [number]; meant?: [string]; pictured?: [string] };
  matched_queries?: string[];
}

const HEAD = { allow_partial_search_results: false };

/**
 * Runs searches together.
 * @throws ServiceError `upstream_unavailable` if the cluster does not respond in time, or if the index is gone;
 * ClusterRefusal if the cluster does not accept a search
 */
export async function searchCluster(
  client: ClusterClient,
  index: string,
  searches: readonly ClusterSearch[],
  deadlineMs: number,
): Promise<Hit[][]> {
  const answer = await client.request<{ responses: Answer[] }>((preference) => {
    const headOf = ({ copies }: ClusterSearch) => ({ ...HEAD, index, preference: preference ?? copies });
    const lines = searches.flatMap((search) => [headOf(search), search.body]);
    return { method: 'POST', path: '/_msearch', body: lines, deadlineMs };
  });
  const responses = answer?.responses ?? [];
  return searches.map(({ toScore }, i) => {
    const one = responses[i];
    if (one?.hits === undefined) throw failureOf(one);
    return one.hits.hits.map(({ sort: [score, popularity, id], fields = {}, matched_queries: terms }) => ({
      id,
      popularity,
      score: toScore(score),
      ...(fields.titled && { titled: fields.titled[0] }),
      ...(fields.meant && { meant: fromBase64(fields.meant[0]) }),
      ...(fields.pictured && { pictured: fromBase64(fields.pictured[0]) }),
      ...(terms && { terms }),
    }));
  });
}

/**
 * The cluster's errors for an index that somebody has removed or closed. After such an error, a worker makes the index
 * again.
 */
const GONE = new Set<string | undefined>(['index_not_found_exception', 'index_closed_exception']);
/**
 * Seconds after which callers should retry. A worker notices the missing index within seconds, but making a large index
 * takes minutes.
 */
const GONE_RETRY_S = 30;

/** One search can fail while the request succeeds, for example if every copy of a shard is down. */
function failureOf(answer: Answer | undefined): Error {
  const reason = answer?.error?.reason ?? 'no reason given';
  const status = answer?.status ?? 503;
  // If an index is removed during a search, the search loses its shards, and fails with status 404.
  if (GONE.has(answer?.error?.type) || status === 404) {
    return new ServiceError('upstream_unavailable', 'the index in the search cluster is missing', {
      cause: new Error(reason),
      retryAfter: GONE_RETRY_S,
    });
  }
  if (status !== 429 && status < 500 && !isCrash(answer?.error)) {
    return new ClusterRefusal(status, answer?.error?.type ?? '', `the search cluster refused a search: ${reason}`);
  }
  return new ServiceError('upstream_unavailable', 'the search cluster is unavailable', {
    cause: new Error(`a search failed with ${status}: ${reason}`),
    retryAfter: 1,
  });
}

/**
 * Whether a search failed because the cluster's own code did. The cluster reports this as an invalid search, with
 * status 400. It happens while an index is removed: the search for vectors reads the settings of an index that the node
 * has already forgotten.
 */
function isCrash(failure: Failure | undefined): boolean {
  return failure !== undefined && (failure.type === 'null_pointer_exception' || isCrash(failure.caused_by));
}

function fromBase64(text: string): Int8Array {
  return new Int8Array(Buffer.from(text, 'base64'));
}

const READ: readonly (keyof ClusterDocument)[] = ['stored'];

/** Returns the stored fields of the GIFs with these ids, in order; undefined for a GIF that is not in the index. */
export async function readStored(
  client: ClusterClient,
  index: string,
  ids: readonly string[],
  deadlineMs: number,
): Promise<(Uint8Array | undefined)[]> {
  if (ids.length === 0) return [];
  const answer = await client.request<{
    docs: { error?: Answer['error']; _source?: Pick<ClusterDocument, 'stored'> }[];
  }>((preference) => {
    const options = new URLSearchParams({ _source_includes: READ.join(), ...(preference && { preference }) });
    return { method: 'POST', path: `/${index}/_mget?${options}`, body: { ids }, deadlineMs };
  });
  return ids.map((_, i) => {
    const one = answer?.docs[i];
    if (one === undefined || one.error) throw failureOf({ status: 503, ...one } as Answer);
    const found = one._source;
    return found && Buffer.from(found.stored, 'base64');
  });
}
