/** A subject for which people often want a GIF. */
export interface Topic {
  /** Label of the chip. */
  label: string;
  query: string;
  /** URL of a small picture in front of the label. */
  picture?: string;
}

/** Topics that are shown first, each from the given hour on. */
const BY_HOUR: readonly (readonly [from: number, first: readonly string[]])[] = [
  [0, ['gn']],
  [5, ['gm', 'coffee']],
  [11, ['lol']],
  [16, ['zap']],
  [20, ['gn', 'love']],
];
/** The full forms of abbreviations that few people know. */
const FULL: Readonly<Record<string, string>> = { pv: 'pura vida' };
/** Common subjects on Nostr. */
const COMMON: readonly Topic[] = 'lol love wow yes applause coffee zap bitcoin lfg pv fire facepalm gm gn'
  .split(' ')
  .map((query) => ({ label: FULL[query] ?? query, query }));

/**
 * Returns the topics of the chips, in an order that suits the hour of the day (0 to 23).
 * @param own the service's topics: an empty list if it has none, which makes common topics appear, or undefined until it
 * has responded
 * @param names labels in the language of the interface, by query
 */
export function topicsAt(
  hour: number,
  own: readonly Topic[] | undefined,
  names: Readonly<Record<string, string>>,
): Topic[] {
  const topics = own?.length === 0 ? COMMON : (own ?? []);
  const first = BY_HOUR.findLast(([from]) => hour >= from)?.[1] ?? [];
  const place = ({ query }: Topic) => (first.includes(query) ? first.indexOf(query) : first.length);
  const named = topics.map((topic) => ({ ...topic, label: names[topic.query] ?? topic.label }));
  return named.sort((a, b) => place(a) - place(b));
}
