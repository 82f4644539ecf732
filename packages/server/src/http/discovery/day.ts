import { createHash } from 'node:crypto';

const DAY_MS = 86_400_000;
/**
 * The place in the list at which a GIF is half as likely to come first as the first GIF. It equals the length of a
 * page.
 */
const HALF = 24;

/** Returns the number of days since the Unix epoch. @param now milliseconds since the Unix epoch */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** Returns the number of seconds until a day ends (UTC), at least 1. */
export function secondsLeftOf(day: number, now: number): number {
  return Math.max(1, Math.ceil(((day + 1) * DAY_MS - now) / 1_000));
}

/**
 * Returns a list in the order of a day. Entries near the start of the list are more likely to come first, but the first
 * entries change each day. The order is that of a weighted random sample without replacement (Efraimidis and Spirakis,
 * "Weighted random sampling with a reservoir", 2006: keys u^(1/w)), in which u is a hash of the day and the id.
 */
export function inOrderOfDay<Entry extends { id: string }>(entries: readonly Entry[], day: number): Entry[] {
  const keyed = entries.map((entry, place) => {
    const weight = 1 / (1 + place / HALF);
    return { entry, key: Math.log(uniform(`${day} ${entry.id}`)) / weight };
  });
  return keyed.sort((a, b) => b.key - a.key).map(({ entry }) => entry);
}

/** Returns a number above 0 and at most 1 that depends only on a text. */
function uniform(text: string): number {
  return (createHash('sha256').update(text).digest().readUInt32LE(0) + 1) / 2 ** 32;
}
