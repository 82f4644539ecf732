/** A thing that people often want a GIF of. */
export interface Topic {
  /** What the chip says. */
  label: string;
  query: string;
}

/** Topics of Nostr's everyday talk. */
const ALL = ['lol', 'love', 'wow', 'yes', 'applause', 'coffee', 'zap', 'bitcoin', 'lfg', 'pv', 'fire', 'facepalm'];
/** From this hour on, these come first. */
const BY_HOUR: readonly (readonly [from: number, first: readonly string[]])[] = [
  [0, ['gn']],
  [5, ['gm', 'coffee']],
  [11, ['lol']],
  [16, ['zap']],
  [20, ['gn', 'love']],
];
const SOME_TIME = ['gm', 'gn'];

/** Topics in the order that suits an hour of the day, 0 to 23. */
export function topicsAt(hour: number, names: Readonly<Record<string, string>>): Topic[] {
  const first = BY_HOUR.findLast(([from]) => hour >= from)?.[1] ?? [];
  const rest = [...ALL, ...SOME_TIME].filter((topic) => !first.includes(topic));
  return [...first, ...rest].map((query) => ({ label: names[query] ?? query, query }));
}
