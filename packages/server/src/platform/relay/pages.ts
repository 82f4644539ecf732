import type { Filter } from 'nostr-tools/filter';
import type { RelayPage } from './connection.ts';
import type { RelayEvent } from './event.ts';

/** Seconds since the Unix epoch, inclusive. */
export interface Span {
  since: number;
  until: number;
}

/**
 * The events of one step backwards through a span. After this step, all events from `from` to the end of the span have
 * been read.
 */
export interface Stretch {
  events: RelayEvent[];
  from: number;
}

export interface Paging {
  page(filter: Filter): Promise<RelayPage>;
  /**
   * Called if a second has more events than the relay returns per request. Some events of that second may be missing.
   */
  onGap(second: number): void;
}

/**
 * A page with fewer events than this number counts as complete, because no known relay has a smaller limit.
 */
const SMALLEST_CAP = 50;

/**
 * Reads a span backwards. A relay does not report whether a page is complete. Therefore each request starts with the
 * second in which the previous page ended, until no events are left.
 */
export async function* readBackwards(
  { page, onGap }: Paging,
  filter: Filter,
  { since, until }: Span,
): AsyncGenerator<Stretch> {
  let largest = SMALLEST_CAP;
  let boundary = new Set<string>();
  while (until >= since) {
    const { events, count, oldest } = await page({ ...filter, since, until });
    if (count === 0 || oldest > until) return;
    const fresh = events.filter(({ id }) => !boundary.has(id));
    if (oldest < until) {
      largest = Math.max(largest, count);
      boundary = new Set(events.flatMap(({ id, created_at }) => (created_at === oldest ? [id] : [])));
      until = oldest;
      yield { events: fresh, from: until + 1 };
      continue;
    }
    const rest = count >= largest ? await splitSecond({ page, onGap }, filter, { events, second: until, largest }) : [];
    yield { events: [...fresh, ...rest], from: until };
    until--;
  }
}

interface FullSecond {
  events: readonly RelayEvent[];
  second: number;
  largest: number;
}

/**
 * Splits a request by the authors that were seen. If an author has too many events, the request is also split by tags.
 */
async function splitSecond(
  { page, onGap }: Paging,
  filter: Filter,
  { events, second, largest }: FullSecond,
): Promise<RelayEvent[]> {
  const found = new Map<string, RelayEvent>();
  const ask = async (part: Filter) => {
    const { events: some, count } = await page({ ...filter, ...part, since: second, until: second });
    for (const event of some) found.set(event.id, event);
    return count < largest;
  };
  const toSplit = new Set(events.map(({ pubkey }) => pubkey));
  for (const author of toSplit) {
    if (await ask({ authors: [author] })) continue;
    const tags = [...found.values()].filter(({ pubkey }) => pubkey === author).flatMap(wordsOf);
    for (const tag of new Set(tags)) await ask({ authors: [author], '#t': [tag] });
  }
  onGap(second);
  const known = new Set(events.map(({ id }) => id));
  return [...found.values()].filter(({ id }) => !known.has(id));
}

function wordsOf({ tags }: RelayEvent): string[] {
  return tags.flatMap(([name, value]) => (name === 't' && value ? [value] : []));
}
