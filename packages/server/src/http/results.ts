import { type Gif, LIMITS, type SearchMode } from '@zoetrope/contract';
import { ServiceError } from '../base/errors.ts';
import { type JsonBytes, parseJsonBytes, type StoredGif, toJsonBytes } from '../builds/index.ts';
import type { Ranked, Search, SearchInProgress } from '../index/index.ts';
import { derivativePath, FITS, type Fit, mp4Allowed, originalPath, previewSizes } from '../media/index.ts';
import type { HttpContext, Rank } from './context.ts';

/**
 * Maximum time that a search waits for the vector of its query. After that time, `auto` continues without the vector.
 */
const DEADLINE_MS = { auto: 150, semantic: 1_000 } as const;

/** Seconds after which callers should retry. A killed embedder is restarted within five seconds. */
const RETRY_AFTER_S = 5;

export interface SearchResult {
  /** At most 200 GIFs. */
  ranked: Ranked;
  /** The corrected query, if the given query has unknown words. Undefined if the given query was searched unchanged. */
  corrected?: string | undefined;
  /** Whether semantic search was used. */
  semantic: boolean;
  /**
   * The vector of the query, or of its completion if its last word is incomplete. Null if the embedder has none of its
   * words. Undefined if the vector was not requested or not available.
   */
  vector: Float32Array | null | undefined;
  /** Whether semantic search was requested but not available. */
  isDegraded: boolean;
}

export interface SearchQuery {
  q: string;
  mode: SearchMode;
  rank: Rank;
}

const NOTHING: Ranked = { count: 0, gifs: () => [] };

/**
 * Returns the ranked list of a query.
 * @throws ServiceError `embedder_unavailable` if mode=semantic is impossible; `upstream_unavailable`
 */
export async function findGifs(
  { q, mode, rank }: SearchQuery,
  index: Search,
  context: Pick<HttpContext, 'embed'>,
): Promise<SearchResult> {
  const most = LIMITS.rankedListMax;
  // A blank query finds nothing, so it needs no embedder.
  if (q === '') return { ranked: NOTHING, semantic: false, vector: undefined, isDegraded: false };
  const corrected = mode === 'semantic' ? undefined : await index.correct(q);
  const sought = corrected ?? q;
  const search = mode === 'semantic' ? undefined : await index.begin(sought, most);
  // For many short queries, words are enough. These queries do not need to wait for a vector.
  const isWordsOnly = mode === 'text' || search?.isEnough === true;
  const vector = isWordsOnly ? undefined : await vectorOf({ q: sought, mode, rank }, { index, search }, context);
  const semantic = vector !== undefined && vector !== null;
  if (search === undefined) {
    const ranked = await index.searchMeaning(vector ?? null, most);
    return { ranked, corrected, semantic, vector, isDegraded: false };
  }
  const mixed = vector === undefined ? undefined : await search.endWithMeaning(vector);
  if (mixed !== undefined) return { ranked: mixed, corrected, semantic, vector, isDegraded: false };
  const ranked = await search.endWithWords();
  return { ranked, corrected, semantic: false, vector: undefined, isDegraded: !isWordsOnly };
}

/**
 * Returns the query's vector. Returns null if the embedder has none of the query's words, and undefined if `auto` has
 * to continue without the vector.
 */
async function vectorOf(
  { q, mode, rank }: SearchQuery & { mode: 'auto' | 'semantic' },
  { index, search }: { index: Search; search: SearchInProgress | undefined },
  { embed }: Pick<HttpContext, 'embed'>,
): Promise<Float32Array | null | undefined> {
  try {
    if (!index.hasMeaning)
      throw new ServiceError('embedder_unavailable', 'this index has no vectors from this embedder yet');
    const query = { text: search?.meant ?? q, isShort: search?.isShort ?? (await index.isShort(q)) };
    return await embed(query, DEADLINE_MS[mode], rank);
  } catch (error) {
    const down = error instanceof ServiceError && error.code === 'embedder_unavailable';
    if (down && mode === 'auto') return undefined;
    if (!down) throw error;
    const message = `mode=semantic is unavailable now (${error.message}); use mode=text or mode=auto`;
    throw new ServiceError('embedder_unavailable', message, { cause: error, retryAfter: RETRY_AFTER_S });
  }
}

export interface ShownMedia {
  /** Public base URL of the media, without a trailing slash. */
  mediaUrl: string;
  /** Whether MP4s can be made. */
  hasVideo: boolean;
  /** Whether linked GIFs whose original is stored here have the URL of that copy. */
  hasOwnUrls: boolean;
}

/** Returns the GIFs as the API returns them. */
export function writeItems(gifs: readonly StoredGif[], media: ShownMedia): JsonBytes[] {
  const base = toJsonBytes(media.mediaUrl).slice(1, -1);
  return gifs.map((gif) => writeItem(gif, base, media));
}

/** Returns a GIF as the API returns it. */
export function toGif(gif: StoredGif, media: ShownMedia): Gif {
  return parseJsonBytes(writeItems([gif], media)[0]!) as Gif;
}

/**
 * Writes a GIF as the API returns it.
 * @param base the public base URL of the media, escaped for the inside of a JSON string
 */
function writeItem(gif: StoredGif, base: JsonBytes, { hasVideo, hasOwnUrls }: ShownMedia): JsonBytes {
  const { id, verified, durationMs, format } = gif;
  const sha256 = verified === 'file' && gif.sha256 !== null ? `"${gif.sha256}"` : null;
  const own = gif.url === null || (hasOwnUrls && gif.isKept);
  const url = own ? `"${base}${originalPath(id.slice(0, 64), format)}"` : gif.url;
  const isFilm = hasVideo && mp4Allowed(gif);
  const mp4 = isFilm ? `"${base}${derivativePath(id, { kind: 'video' })}"` : null;
  const small = isFilm && !gif.transparent ? `"${base}${derivativePath(id, { kind: 'video', fit: 'w240' })}"` : null;
  return (
    `{"id":"${id}","sha256":${sha256},"verified":${verified !== 'nothing'},"url":${url},"width":${gif.width},` +
    `"height":${gif.height},"frames":${gif.frames},"duration":${durationMs === null ? null : durationMs / 1000},` +
    `"bytes":${gif.bytes},"format":"${format}",${gif.words},"transparent":${gif.transparent || null},` +
    `"blankStill":${gif.blankStill || null},"mp4":${mp4},"previewMp4":${small},"previews":${writePreviews(gif, base)}}`
  );
}

function writePreviews(gif: StoredGif, base: JsonBytes): JsonBytes {
  const sizes = previewSizes(gif);
  const write = (fit: Fit): JsonBytes => {
    const { width, height, animated } = sizes[fit];
    const path = (kind: 'animated' | 'still') => `"${base}${derivativePath(gif.id, { fit, kind })}"`;
    const moving = animated ? path('animated') : null;
    return `"${fit}":{"width":${width},"height":${height},"animated":${moving},"still":${path('still')}}`;
  };
  return `{${FITS.map(write).join(',')}}`;
}
