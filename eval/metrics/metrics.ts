/** The number of results that clients show first. */
export const PAGE = 24;

/** Returns 1 if the only correct result is among the first `k`, otherwise 0. */
export function recallAt(k: number, found: readonly string[], wanted: string): number {
  return found.slice(0, k).includes(wanted) ? 1 : 0;
}

/** Returns 1 / rank of the only correct result, or 0 if it was not found. */
export function reciprocalRank(found: readonly string[], wanted: string): number {
  return 1 / (found.indexOf(wanted) + 1 || Number.POSITIVE_INFINITY);
}

/**
 * Returns the number of correct results among the first `k`, as a share of the highest possible number. (It is not a
 * share of `k`, because a concept can have fewer than `k` GIFs.) SQLite FTS5, the baseline for the gates, scores .911
 * on the English concepts. As a share of `k`, it would score .852, and no ranking could exceed .935.
 */
export function shareAt(k: number, found: readonly string[], relevant: ReadonlySet<string>): number {
  return sharedAt(k, found, relevant) / Math.min(k, relevant.size);
}

/** Returns the number of correct results among the first `k`. */
export function sharedAt(k: number, found: readonly string[], relevant: ReadonlySet<string>): number {
  return new Set(found.slice(0, k)).intersection(relevant).size;
}

/** Returns 1 if both lists contain the same entries in the same order, otherwise 0. */
export function isSameList(a: readonly string[], b: readonly string[]): number {
  return a.length === b.length && a.every((entry, at) => entry === b[at]) ? 1 : 0;
}

export interface SuggestedTerm {
  term: string;
  n: number;
  fuzzy?: boolean | undefined;
}

export interface TagCount {
  tag: string;
  n: number;
}

/**
 * Returns how often the completions of a prefix break the promise "terms from the index that start with `q`, most used
 * first". It counts three kinds of violations: terms that start differently and are not marked fuzzy, counts that rise
 * from one term to the next, and missing tags that are used more often than the last term. If there are no completions,
 * all tags are missing.
 */
export function prefixViolations(prefix: string, tags: readonly TagCount[], terms: readonly SuggestedTerm[]): number {
  const start = plain(prefix);
  const strangers = terms.filter(({ term, fuzzy }) => !fuzzy && !plain(term).startsWith(start));
  const rises = terms.filter(({ n }, at) => at > 0 && n > terms[at - 1]!.n);
  const last = terms.at(-1)?.n ?? 0;
  const there = new Set(terms.map(({ term }) => plain(term)));
  const missing = tags.filter(({ tag, n }) => n > last && !there.has(plain(tag)));
  return strangers.length + rises.length + missing.length;
}

/** Returns the form in which terms are compared here. Differences in compatibility form and case are ignored. */
export function plain(term: string): string {
  return term.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/**
 * Returns right / inEnglish, but at most 1: the right results of a query, as a share of the results of the same words
 * in English. If the English words find fewer than three results, the divisor is three, because a smaller number is not
 * reliable.
 */
export function shareOfEnglish(right: number, inEnglish: number): number {
  return Math.min(1, right / Math.max(3, Math.min(PAGE, inEnglish)));
}
