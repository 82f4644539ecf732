/** A subject for which people often want a GIF. */
export interface Topic {
  /** Label of the chip. */
  label: string;
  query: string;
}

/** Common subjects on Nostr. */
const ALL = ['lol', 'love', 'wow', 'yes', 'applause', 'coffee', 'zap', 'bitcoin', 'lfg', 'pv', 'fire', 'facepalm'];
/** Topics that are shown first, each from the given hour on. */
const BY_HOUR: readonly (readonly [from: number, first: readonly string[]])[] = [
  [0, ['gn']],
  [5, ['gm', 'coffee']],
  [11, ['lol']],
  [16, ['zap']],
  [20, ['gn', 'love']],
];
const SOME_TIME = ['gm', 'gn'];
/** The full forms of abbreviations that few people know. */
const FULL: Readonly<Record<string, string>> = { pv: 'pura vida' };

/** Returns the topics in an order that suits the hour of the day (0 to 23). */
export function topicsAt(hour: number, names: Readonly<Record<string, string>>): Topic[] {
  const first = BY_HOUR.findLast(([from]) => hour >= from)?.[1] ?? [];
  const rest = [...ALL, ...SOME_TIME].filter((topic) => !first.includes(topic));
  return [...first, ...rest].map((query) => ({ label: names[query] ?? FULL[query] ?? query, query }));
}
