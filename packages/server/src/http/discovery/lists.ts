import { type Gif, LIMITS } from '@zoetrope/contract';
import { ServiceError } from '../../base/errors.ts';
import type { StoredGif } from '../../builds/index.ts';
import type { Search } from '../../index/index.ts';
import type { HttpContext, Rank } from '../context.ts';
import { findGifs, toGif } from '../results.ts';
import { dayOf, inOrderOfDay, secondsLeftOf } from './day.ts';

/** The GIFs to list. Equal selections list the same GIFs in the same order while the index stays the same. */
export type Selection =
  | { of: 'search'; q: string; language: number | undefined; isWordsOnly: boolean; rank: Rank }
  /** `day` is the number of days since the Unix epoch. */
  | { of: 'trending'; day: number }
  | { of: 'similar'; id: string }
  /** Unknown ids are left out. */
  | { of: 'ids'; ids: readonly string[] };

export interface Page {
  offset: number;
  limit: number;
}

export interface GifList extends Page {
  items: Gif[];
  /** Length of the whole list. */
  count: number;
  /** Whether the list is worse than usual because a part of the service is down. */
  isDegraded: boolean;
  /**
   * Number of seconds for which the list is valid if the index does not change. If undefined, the time is unlimited.
   */
  seconds: number | undefined;
}

/** Returns the current selection of the GIFs that users see first. */
export function trendingNow(now: number): Selection {
  return { of: 'trending', day: dayOf(now) };
}

/**
 * Returns one page of a list. Throws ServiceError `not_found` if the GIF of `similar` is unknown.
 * @param now milliseconds since the Unix epoch
 */
export async function listGifs(
  selection: Selection,
  page: Page,
  { index, now }: { index: Search; now: number },
  context: HttpContext,
): Promise<GifList> {
  const { gifs, count, ...rest } = await select(selection, page, { index, now }, context);
  const items = gifs.map((gif) => toGif(gif, context));
  return { ...page, items, count, isDegraded: rest.isDegraded ?? false, seconds: rest.seconds };
}

interface Selected {
  /** The GIFs of the page. */
  gifs: readonly StoredGif[];
  count: number;
  isDegraded?: boolean;
  seconds?: number;
}

async function select(
  selection: Selection,
  { offset, limit }: Page,
  { index, now }: { index: Search; now: number },
  context: HttpContext,
): Promise<Selected> {
  if (selection.of === 'ids') {
    const { ids } = selection;
    const found = await Promise.all(ids.slice(offset, offset + limit).map((id) => index.find(id)));
    return { gifs: found.filter((gif) => gif !== undefined), count: ids.length };
  }
  if (selection.of === 'trending') {
    const all = await popular(index);
    const ordered = inOrderOfDay(all, selection.day);
    return {
      gifs: ordered.slice(offset, offset + limit),
      count: all.length,
      seconds: secondsLeftOf(selection.day, now),
    };
  }
  if (selection.of === 'similar') {
    const found = await index.similar(selection.id, LIMITS.similarLimitMax);
    if (found === undefined) throw new ServiceError('not_found', `No GIF has the id ${selection.id}`);
    return { gifs: await found.gifs(offset, offset + limit), count: found.count };
  }
  const { q, language, isWordsOnly, rank } = selection;
  const mode = isWordsOnly ? 'text' : 'auto';
  const { ranked, isDegraded } = await findGifs({ q, mode, rank }, index.in(language), context);
  return {
    gifs: await ranked.gifs(offset, offset + limit),
    count: ranked.count,
    isDegraded: isDegraded && context.hasEmbedder,
  };
}

/** Returns the popular GIFs, at most as many as a ranked list has. */
export async function popular(index: Search): Promise<readonly StoredGif[]> {
  return (await index.popular(LIMITS.rankedListMax)).gifs(0, LIMITS.rankedListMax);
}
