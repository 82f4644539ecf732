import { LIMITS } from '@zoetrope/contract';
import { type Audience, MAX_AGE_S } from './answer.ts';

/** Seconds for which an edge caches a complete response if the edge is notified of new builds. */
const EDGE_S = 3_600;
/**
 * Seconds for which an edge that is not notified of changes uses a response before it revalidates the response. Hidden
 * GIFs must be gone from every edge within five seconds. Revalidation is cheap, because the response usually has not
 * changed (304).
 */
const UNTOLD_EDGE_S = 4;
/**
 * Seconds for which an edge caches a degraded response. The contract limits the total time in all caches. The edge uses
 * all of this time, so neither this service nor the caller caches the response.
 */
const EDGE_DEGRADED_S: number = LIMITS.degradedCacheSeconds;

/**
 * Audience of a listener for an edge. An edge sends the same response to all admitted callers, so the response must not
 * depend on the caller. Edges remove the cache headers that are meant for them: `Surrogate-Control`, or
 * `X-Accel-Expires` for edges that are not notified of new builds.
 */
export const edge: Audience = {
  tell({ isDegraded, isPrivate, build, missing }) {
    if (isPrivate) return { 'cache-control': 'private, no-store', vary: 'Accept-Encoding' };
    if (isDegraded) return { 'cache-control': 'private, no-cache', ...tellEdge(EDGE_DEGRADED_S), ...keys('degraded') };
    return {
      'cache-control': `private, max-age=${MAX_AGE_S}`,
      ...tellEdge(EDGE_S, `, stale-while-revalidate=${MAX_AGE_S}`),
      ...keys(`build-${build}`, missing === undefined ? 'search' : `gif-${missing}`),
    };
  },
  tellOfImage: (id) => ({ 'surrogate-key': `gif-${id} media` }),
  degradedSeconds: 0,
  hearsOfBudgets: false,
};

function tellEdge(seconds: number, more = ''): Record<string, string> {
  const control = `max-age=${seconds}${more}`;
  return { 'surrogate-control': control, 'cdn-cache-control': control, 'x-accel-expires': String(UNTOLD_EDGE_S) };
}

/** Returns headers with tags. An edge finds stale responses by these tags. */
function keys(...names: string[]): Record<string, string> {
  return { 'surrogate-key': names.join(' '), vary: 'Accept-Encoding' };
}
