import { ID_PATTERN, LIMITS } from '@zoetrope/contract';
import { matchFilter } from 'nostr-tools/filter';
import type { NostrEvent } from 'nostr-tools/pure';
import type { StoredGif } from '../../builds/index.ts';
import { normaliseQuery, type Search } from '../../index/index.ts';
import type { HttpContext, Lease } from '../context.ts';
import { popular } from '../discovery/lists.ts';
import { findGifs, toGif } from '../results.ts';
import { type Events, FILE } from './events.ts';
import { type Filter, wordsOf } from './filter.ts';

const ID = new RegExp(ID_PATTERN);

/**
 * Returns the events for a filter. Events that match words are in the order of the search (NIP-50). All other events
 * are sorted by time, newest first.
 * @param isWordsOnly whether the caller has used up its allowance of semantic searches
 */
export async function findEvents(
  filter: Filter,
  { events, context, lease, isWordsOnly }: { events: Events; context: HttpContext; lease: Lease; isWordsOnly: boolean },
): Promise<NostrEvent[]> {
  if (filter.kinds !== undefined && !filter.kinds.includes(FILE)) return [];
  const index = lease.index.forRequest();
  const gifs = await findFor(filter, { index, events, context, isWordsOnly });
  const facts = await context.relayFacts(gifs.map(({ id }) => id));
  const all = gifs.flatMap((gif): NostrEvent | [] => {
    const known = facts[gif.id];
    // The GIF was hidden after the index was read.
    if (known === undefined) return [];
    if (known.event !== null) return JSON.parse(known.event);
    return events.of(toGif(gif, context), Math.floor(known.addedAt / 1_000));
  });
  const { limit = LIMITS.rankedListMax, search, ...literal } = filter;
  // The search also finds the words in other languages and forms, so they are not compared with the events' text.
  const matching = all.filter((event) => matchFilter(literal, event));
  if (search === undefined) matching.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
  return matching.slice(0, limit);
}

interface Finding {
  index: Search;
  events: Events;
  context: HttpContext;
  isWordsOnly: boolean;
}

async function findFor(
  filter: Filter,
  { index, events, context, isWordsOnly }: Finding,
): Promise<readonly StoredGif[]> {
  const { ids, search, '#x': hashes, '#t': tags } = filter;
  if (ids !== undefined)
    return findById([...ids.map((id) => events.gifOf(id)), ...(await context.gifsOfEvents({ ids }))], index);
  if (hashes !== undefined)
    return findById(
      hashes.map((hash) => `${hash}.gif`),
      index,
    );
  const words = search === undefined ? tags?.join(' ') : wordsOf(search);
  if (words === undefined || (words === '' && search !== undefined)) return listed(filter, { index, events, context });
  const mode = isWordsOnly ? 'text' : 'auto';
  const q = normaliseQuery(words.slice(0, LIMITS.queryMaxLength));
  const { ranked } = await findGifs({ q, mode, rank: 'anonymous' }, index, context);
  return ranked.gifs(0, ranked.count);
}

/** Returns the GIFs of a filter without words: the GIFs of its authors, or popular GIFs. */
async function listed(
  { authors, since = 0, until = Number.MAX_SAFE_INTEGER }: Filter,
  { index, events, context }: Omit<Finding, 'isWordsOnly'>,
): Promise<readonly StoredGif[]> {
  if (authors === undefined) return popular(index);
  const limit = LIMITS.rankedListMax;
  const theirs = await findById(await context.gifsOfEvents({ authors, since, until, limit }), index);
  if (!authors.includes(events.pubkey)) return theirs;
  const known = new Set(theirs.map(({ id }) => id));
  return [...theirs, ...(await popular(index)).filter(({ id }) => !known.has(id))];
}

async function findById(ids: readonly (string | undefined)[], index: Search): Promise<StoredGif[]> {
  const valid = ids.filter((id): id is string => id !== undefined && ID.test(id)).slice(0, LIMITS.rankedListMax);
  const found = await Promise.all(valid.map((id) => index.find(id)));
  return found.filter((gif) => gif !== undefined);
}
