import type { ModeratedGif, ModerationList, ReportOrder, ReviewItem } from '@zoetrope/contract/account';

/** One thing to decide: a GIF, or the requests of one client. */
export type Entry =
  | { kind: 'gif'; id: string; gif: ModeratedGif }
  | { kind: 'client'; id: string; items: ReviewItem[] };

/** Returns the requests by client, the client with the oldest request first. @param items oldest first */
function byClient(items: readonly ReviewItem[]): Entry[] {
  return [...Map.groupBy(items, ({ clientId }) => clientId)].map(([clientId, own]) => ({
    ...{ kind: 'client', id: `client:${clientId}`, items: own },
  }));
}

/**
 * Merges GIFs and clients into one queue. GIFs are in the order of the service.
 * @param hasMore whether the service has more GIFs. Then clients that come after the last GIF are left out, because
 * GIFs that are not loaded yet can come before them.
 */
export function merge(
  gifs: readonly ModeratedGif[],
  items: readonly ReviewItem[],
  { order, hasMore }: { order: ReportOrder; hasMore: boolean },
): Entry[] {
  const rank = order === 'oldest' ? ageOf : (entry: Entry) => -numberOf(entry);
  const entries: Entry[] = gifs.map((gif) => ({ kind: 'gif', id: gif.id, gif }));
  const last = entries.at(-1);
  const clients = byClient(items).filter((entry) => !hasMore || last === undefined || rank(entry) <= rank(last));
  return [...entries, ...clients].toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the time of the oldest report or request. */
function ageOf(entry: Entry): number {
  return (entry.kind === 'gif' ? entry.gif.reports[0]?.at : entry.items[0]?.createdAt) ?? 0;
}

/** Returns the number of reports or requests. */
function numberOf(entry: Entry): number {
  return entry.kind === 'gif' ? reportsOf(entry.gif) : entry.items.length;
}

/** Returns the number of open reports, including reports that were only counted. */
function reportsOf({ reports }: ModeratedGif): number {
  return reports.reduce((sum, { more }) => sum + 1 + more, 0);
}

/** Returns whether a GIF still belongs to a list. */
export function isWaiting(
  { reports, hidden, inReview, blocked, rating, ratedBy }: ModeratedGif,
  list: ModerationList,
): boolean {
  if (list === 'reported') return reports.length > 0;
  if (list === 'hidden') return hidden;
  if (list === 'uploaded') return inReview;
  const isOfModel = ratedBy === 'model' && rating === (list === 'doubtful' ? 'review' : 'adult');
  return isOfModel && !hidden && !blocked;
}
