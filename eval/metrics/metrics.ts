/** 1 when the one right answer is among the first `k`, else 0. */
export function recallAt(k: number, found: readonly string[], wanted: string): number {
  return found.slice(0, k).includes(wanted) ? 1 : 0;
}

/** 1 / rank of the one right answer, 0 when it was not found. */
export function reciprocalRank(found: readonly string[], wanted: string): number {
  return 1 / (found.indexOf(wanted) + 1 || Number.POSITIVE_INFINITY);
}

/**
 * How many of the first `k` are right, as a share of the most that could be: a concept may have fewer than `k` GIFs.
 * SQLite FTS5 scores .911 by this on the English concepts, which is the baseline that the gates stand beside; as a
 * share of `k` it would be .852, and no ranking could pass .935.
 */
export function shareAt(k: number, found: readonly string[], relevant: ReadonlySet<string>): number {
  const hits = new Set(found.slice(0, k)).intersection(relevant);
  return hits.size / Math.min(k, relevant.size);
}

/** 1 when both lists hold the same entries in the same order, else 0. */
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
 * How often an answer to a prefix breaks the promise "the index's own terms that start with `q`, most used first":
 * terms that start otherwise and are not marked fuzzy, counts that rise from one term to the next, and tags used more
 * often than the last term that are not there. Nothing at all is held to be missing every tag.
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

/** The form in which terms are compared here: compatibility forms and case are one, all else counts. */
export function plain(term: string): string {
  return term.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
