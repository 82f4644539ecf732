import type { IndexDocument } from '../build/document.ts';
import { foldBeginning, foldTerm, type Suggestion } from '../suggest/term.ts';

type NaiveTerm = Suggestion & { folded: string };

/**
 * Reference implementation of the suggester for documents that only have tags. It applies the same rules to plain
 * arrays of strings. It shares the folding with the suggester.
 */
export class NaiveSuggester {
  readonly #terms: NaiveTerm[];

  constructor(documents: readonly IndexDocument[]) {
    const tags = documents.filter(({ adult }) => !adult).flatMap((document) => [...new Set(document.tags)]);
    this.#terms = [...new Set(tags)]
      .map((tag) => {
        const n = tags.filter((other) => other === tag).length;
        return { term: tag, folded: foldTerm(tag), kind: 'tag' as const, n, fuzzy: false };
      })
      .filter(({ folded }) => folded !== '')
      .sort((a, b) => compare(a.folded, b.folded) || compare(a.term, b.term));
  }

  suggest(query: string, limit: number): Suggestion[] {
    const beginning = foldBeginning(query);
    if (beginning === '') return [];
    const starting = this.#terms
      .filter(({ folded }) => folded.startsWith(beginning))
      .map((term) => (query === beginning && !term.term.startsWith(query) ? { ...term, term: term.folded } : term))
      .sort((a, b) => b.n - a.n);
    const terms = starting.filter(({ term }, at) => starting.findIndex((other) => other.term === term) === at);
    const { length } = [...query];
    const isLikely = terms.length === 0 || (length > 4 && terms[0]!.n < 10);
    const isShort = terms.length < Math.min(3, limit) && length >= 4 && isLikely && !query.endsWith(' ');
    const fuzzy = isShort ? this.#alike(beginning.trimEnd()) : [];
    return [...terms, ...fuzzy].slice(0, limit).map(({ folded: _, ...suggestion }) => suggestion);
  }

  #alike(word: string): NaiveTerm[] {
    if (word.length > 40) return [];
    const most = word.length < 5 ? 1 : word.length < 8 ? 2 : 3;
    const grams = trigrams(word);
    for (let i = 1; i < word.length && word.length <= 7; i++)
      for (const gram of trigrams(word.slice(0, i - 1) + word[i] + word[i - 1] + word.slice(i + 1))) grams.add(gram);
    return this.#terms
      .filter(({ folded }) => folded.length <= 40 && !folded.startsWith(word))
      .filter(
        ({ folded }) =>
          [...trigrams(folded)].filter((gram) => grams.has(gram)).length >= (word.length + folded.length + 2) / 6,
      )
      .map((term) => ({ ...term, fuzzy: true, distance: editDistance(word, term.folded) }))
      .filter(({ distance }) => distance <= most)
      .sort((a, b) => a.distance - b.distance || b.n - a.n)
      .map(({ distance: _, ...term }) => term);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function trigrams(word: string): Set<string> {
  const padded = `  ${word} `;
  return new Set(Array.from({ length: word.length + 1 }, (_, i) => padded.slice(i, i + 3)));
}

/** Optimal string alignment, by its definition. */
export function editDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? table[i - 2]![j - 2]! + 1 : replaced;
      table[i]![j] = Math.min(replaced, swapped, table[i - 1]![j]! + 1, table[i]![j - 1]! + 1);
    }
  }
  return table[a.length]![b.length]!;
}
