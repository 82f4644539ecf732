import { analyse } from '../analysis/analyse.ts';
import { documentTerms } from '../analysis/document-terms.ts';
import { calmed } from '../analysis/drawn-out.ts';
import { withEmoji } from '../analysis/emoticons.ts';
import { FUNCTION_WORDS } from '../analysis/function-words.ts';
import { normaliseQuery } from '../analysis/normalise.ts';
import { stem } from '../analysis/stem.ts';
import { variantsOf } from '../analysis/variants.ts';
import { compareDocuments, type IndexDocument } from '../build/document.ts';
import { joinWords } from '../postings/joined-words.ts';

/**
 * Reference implementation of the ranking for tests. It is as simple as possible, with maps and a sort. It shares the
 * analysis with the searcher, and repeats all formulas and constants independently. It copies only two steps of
 * rounding, because they decide ties: impacts to 8 bits, and weights to integers. Before rounding, it combines numbers
 * in the searcher's order, because another order could change the last digit.
 */
export class NaiveSearcher {
  readonly #rows: NaiveRow[];
  readonly #safeDocuments: number;
  readonly #frequencies = new Map<string, number>();

  /** `documents` in build order. */
  constructor(documents: readonly IndexDocument[], deltas: readonly NaiveDelta[] = []) {
    const segments = [{ documents, removed: [] }, ...deltas].map((segment) => ({
      ...segment,
      fields: segment.documents.map(analysedFields),
    }));
    const base = segments[0]!.fields;
    const phrases = frequentPhrases(base.map(([title]) => title!));
    const known = new Set(segments[0]!.documents.flatMap((document, i) => termsOfDocument(document, base[i]!)));
    const baseAverages = averageLengths(base);
    let start = 0;
    this.#rows = segments.flatMap(({ fields, ...segment }, number) => {
      const own = averageLengths(fields);
      const averages = baseAverages.map((average, i) => average || own[i]!);
      const gone = new Set(
        segments.slice(number + 1).flatMap((later) => [...later.removed, ...idsOf(later.documents)]),
      );
      const first = start;
      start += Math.ceil(segment.documents.length / 8) * 8;
      return segment.documents.map((document, i) => ({
        document,
        number: first + i,
        impacts: impactsOf(document, fields[i]!, { averages, phrases, known }),
        isRetired: [document.id, ...(document.aliases ?? [])].some((id) => gone.has(id)),
      }));
    });
    const safe = this.#rows.filter(({ document }) => !document.adult);
    this.#safeDocuments = safe.length;
    for (const term of safe.flatMap(({ impacts }) => [...impacts.keys()])) {
      this.#frequencies.set(term, this.#frequency(term) + 1);
    }
    this.#rows.sort((a, b) => compareDocuments(a.document, b.document));
  }

  /** Returns document numbers, best first. */
  search(query: string, limit: number, hidden: ReadonlySet<number> = new Set()): number[] {
    const lowest = termsOf(query).some(({ covers }) => covers.length > 0) ? 1 : 0;
    return [...this.scores(query)]
      .filter(([document, score]) => !hidden.has(document) && score >= lowest)
      .sort(([, one], [, other]) => other - one)
      .slice(0, limit)
      .map(([document]) => document);
  }

  /**
   * Returns a number for each safe document that the query finds, the most popular first. The integer part is the
   * number of matched words. The fraction is the document's share of the maximum score.
   */
  scores(query: string): Map<number, number> {
    const terms = this.#weighted(termsOf(query));
    const scores = new Map<number, number>();
    for (const { document, number, impacts, isRetired } of this.#rows) {
      if (document.adult || isRetired) continue;
      const matched = terms.filter(({ term }) => impacts.has(term));
      const coverage = new Set(matched.flatMap(({ covers }) => covers)).size;
      const score = matched.reduce((sum, { term, weight }) => sum + weight * impacts.get(term)!, 0);
      if (matched.length > 0) scores.set(number, coverage + score / 2 ** 24);
    }
    return scores;
  }

  #weighted(terms: readonly QueryTerm[]): (QueryTerm & { weight: number })[] {
    const idf = ({ rarity }: QueryTerm): number => {
      const frequency = this.#frequency(rarity);
      return Math.log(1 + (this.#safeDocuments - frequency + 0.5) / (frequency + 0.5));
    };
    // Rarest first, because the searcher adds terms up in this order.
    const known = terms
      .filter(({ term }) => this.#frequency(term) > 0)
      .sort((a, b) => this.#frequency(a.term) - this.#frequency(b.term));
    const sum = known.reduce((total, term) => total + term.share * idf(term), 0);
    const scale = (2 ** 24 - 1 - 255 * 127) / (255 * sum);
    return known.map((term) => ({ ...term, weight: Math.max(1, Math.floor(term.share * idf(term) * scale)) }));
  }

  /** Returns how many safe documents have the term. */
  #frequency(term: string): number {
    return this.#frequencies.get(term) ?? 0;
  }
}

/** The documents that a delta adds, in build order, and the ids of the documents that it only removes. */
export interface NaiveDelta {
  documents: readonly IndexDocument[];
  removed: readonly string[];
}

interface NaiveRow {
  document: IndexDocument;
  number: number;
  impacts: Map<string, number>;
  isRetired: boolean;
}

interface QueryTerm {
  term: string;
  rarity: string;
  share: number;
  /** Words of the query. */
  covers: string[];
}

function idsOf(documents: readonly IndexDocument[]): string[] {
  return documents.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
}

/** Returns the mean length of each field over the documents that have it, or 0 if no document has it. */
function averageLengths(fields: readonly string[][][]): number[] {
  return [0, 1, 2, 3].map((i) => mean(fields.map((field) => field[i]!.length).filter((length) => length > 0)) || 0);
}

function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).map((word, i) => `${words[i]} ${word}`);
}

/**
 * Returns the pairs of neighbouring words that occur in at least three titles. If there are few titles, returns all
 * pairs.
 */
function frequentPhrases(titles: readonly string[][]): Set<string> {
  const counts = new Map<string, number>();
  for (const pair of titles.flatMap((title) => [...new Set(pairsOf(title))])) {
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= (titles.length <= 1_000 ? 1 : 3)).map(([pair]) => pair));
}

/** Returns how many words of the query a document can match, ignoring function words if there are others. */
export function countWords(query: string): number {
  const words = new Set(analyse(normaliseQuery(query)));
  const content = [...words].filter((word) => !FUNCTION_WORDS.has(word));
  return content.length || words.size;
}

/**
 * Returns the base forms of the words, the typed forms with a lower weight, joined neighbours, and phrases of two
 * words.
 */
function termsOf(query: string): QueryTerm[] {
  const words = analyse(withEmoji(normaliseQuery(query)));
  const content = new Set(words.filter((word) => !FUNCTION_WORDS.has(word)));
  const counting = content.size > 0 ? content : new Set(words);
  const quoted = Array.from(normaliseQuery(query).matchAll(/["“„«]([^"“”„«»]+)["“”»]/g), ([, text]) =>
    pairsOf(analyse(text!)),
  ).flat();
  const short = counting.size <= 4;
  const isPhrase = quoted.length === 0 && words.length === 2 && content.size === 1 && !/^an?$/.test(words[0]!);
  const phrase = isPhrase ? ['…'] : [];
  const variants = variantsOf(normaliseQuery(query));
  const terms: QueryTerm[] = [];
  for (const word of new Set(words)) {
    const share = counting.has(word) ? 1 : 0.3;
    const covers = short && counting.has(word) ? [word] : [];
    const inflected = stem(word) !== word;
    terms.push({ term: stem(word), rarity: stem(word), share: share * (inflected ? 0.8 : 1), covers });
    if (inflected) terms.push({ term: word, rarity: stem(word), share: share * 0.2, covers: [] });
    terms.push({ term: `+${word}`, rarity: word, share: share * 0.5, covers });
    for (const form of [...calmed(word), ...(variants.get(word) ?? [])]) {
      const base = stem(form);
      terms.push({ term: base, rarity: base, share: 0.9 * share * (base === form ? 1 : 0.8), covers });
      if (base !== form) terms.push({ term: form, rarity: base, share: 0.9 * share * 0.2, covers: [] });
    }
  }
  for (const [i] of words.slice(0, 16).entries()) {
    for (const n of [2, 3, 4].filter((n) => i + n <= Math.min(16, words.length))) {
      const joined = words.slice(i, i + n);
      const covers = short ? [...joined.filter((word) => counting.has(word)), ...phrase] : [];
      terms.push({ term: joined.join(''), rarity: joined.join(''), share: 1, covers });
    }
  }
  if (!short || counting.size === 0) return mergeTerms(terms).slice(0, 127);
  for (const term of pairsOf(words)) {
    const isName = words.length <= 3 || term.split(' ').every((word) => !FUNCTION_WORDS.has(word));
    if (isName) terms.push({ term, rarity: term, share: 0.2, covers: phrase });
  }
  for (const term of quoted) terms.push({ term, rarity: term, share: 1, covers: counting.size < 4 ? ['"'] : [] });
  return mergeTerms(terms).slice(0, 127);
}

/** Merges equal terms, and keeps their highest weight. */
function mergeTerms(terms: readonly QueryTerm[]): QueryTerm[] {
  return terms
    .filter(({ term }, i) => terms.findIndex((other) => other.term === term) === i)
    .map((first) => {
      const same = terms.filter(({ term }) => term === first.term);
      const most = (values: number[]): number => values.reduce((a, b) => Math.max(a, b));
      return { ...first, share: most(same.map(({ share }) => share)), covers: same.flatMap(({ covers }) => covers) };
    });
}

function analysedFields({ title, tags, series, characters, text }: IndexDocument): string[][] {
  const inTitle = (name: string) => {
    const [whole, part] = [title, name].map((text) => ` ${documentTerms(text).join(' ')} `);
    return part!.trim().includes(' ') && whole!.includes(part!);
  };
  const further = series.filter((name) => !inTitle(name));
  return [[title], [...tags, ...further], characters, [text]].map((values) => values.flatMap(documentTerms));
}

/** Returns the words of a document and their base forms. */
function termsOfDocument(document: IndexDocument, fields: string[][]): string[] {
  return [...fields.flat(), ...wholeTagsOf(document)].flatMap((term) => [term, stem(term)]);
}

function wholeTagsOf({ tags, series }: Pick<IndexDocument, 'tags' | 'series'>): string[] {
  const all = [...tags, ...series].map(analyse);
  return all.filter((words) => words.length > 0 && words.length <= 4).map((words) => words.join(''));
}

function impactsOf(
  { tags, series }: IndexDocument,
  fields: string[][],
  { averages, phrases, known }: { averages: number[]; phrases: ReadonlySet<string>; known: ReadonlySet<string> },
): Map<string, number> {
  const frequencies = new Map<string, number>();
  const add = (term: string, weight: number): void => {
    frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
    if (stem(term) !== term) frequencies.set(stem(term), (frequencies.get(stem(term)) ?? 0) + weight / 2);
  };
  for (const [i, terms] of fields.entries()) {
    const weight = [8, 4, 4, 1][i]! / (0.6 + (0.4 * terms.length) / (averages[i]! || 1));
    for (const term of terms) add(term, i === 0 ? 0.25 * weight : weight);
    if (i === 0) for (const term of new Set(terms)) add(term, 0.75 * weight);
    if (i === 0)
      for (const phrase of pairsOf(terms).filter((pair) => phrases.has(pair)))
        frequencies.set(phrase, (frequencies.get(phrase) ?? 0) + weight);
    if (i === 0) {
      const joined = terms.slice(1).map((term, at) => joinWords(terms[at]!, term));
      for (const term of joined) if (term !== undefined && known.has(term)) add(`+${term}`, weight);
    }
    if (i === 1) for (const whole of wholeTagsOf({ tags, series })) add(whole, 2.5 * weight);
  }
  return new Map([...frequencies].map(([term, f]) => [term, Math.max(1, Math.round((255 * f) / (1.2 + f)))]));
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
