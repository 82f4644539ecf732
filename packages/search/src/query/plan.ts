import { normaliseQuery } from '../analysis/normalise.ts';
import type { Build, PostingRange } from '../build/build.ts';
import type { Languages } from '../languages/languages.ts';
import { COVERAGE_UNIT, MAX_IMPACT } from './candidates.ts';
import { QueryTerm } from './term.ts';
import { readWanted, type Wanted } from './words.ts';

/** Further terms are ignored; words come first, and a query has at most 100 of them. */
const MAX_TERMS = 127;

/** The terms that a search looks for. */
export interface Plan {
  /** The terms that have postings in safe documents, rarest first. */
  terms: QueryTerm[];
  /** How many words coverage counts; 0 in a long query. */
  words: number;
  /** Whether any part of the query was translated. */
  translated: boolean;
}

export function planQuery(build: Build, query: string, languages: Languages | undefined): Plan {
  const { wanted, words, translated } = readWanted(normaliseQuery(query), languages);
  return { terms: planTerms(build, wanted), words, translated };
}

function planTerms(build: Build, wantedTerms: readonly Wanted[]): QueryTerm[] {
  const found = wantedTerms
    .slice(0, MAX_TERMS)
    .flatMap((wanted) => findTerm(build, wanted))
    .sort((a, b) => lengthOf(a.range) - lengthOf(b.range));
  const scale = scaleOf(found);
  const weights = Int32Array.from(found, ({ idf }) => Math.max(1, idf * scale));
  const terms: QueryTerm[] = [];
  let later = { covers: 0, score: 0 };
  for (let i = found.length - 1; i >= 0; i--) {
    const { wanted, range } = found[i]!;
    const weight = weights[i]!;
    terms.push(new QueryTerm(build, range, { term: wanted.term, covers: wanted.covers, weight, later }));
    later = { covers: later.covers | wanted.covers, score: later.score + MAX_IMPACT * weight };
  }
  return terms.reverse();
}

interface Found {
  wanted: Wanted;
  range: PostingRange;
  /** The term's share of the idf. */
  idf: number;
}

function findTerm(build: Build, wanted: Wanted): Found[] {
  const range = build.postingsOf(wanted.term);
  if (range === undefined) return [];
  const rarity = rarityOf(build, wanted.rarity) ?? inverseDocumentFrequency(lengthOf(range), build.safeDocuments);
  const ceilings = (wanted.ceiling ?? []).flatMap((term) => rarityOf(build, term) ?? []);
  const idf = ceilings.length === 0 ? rarity : Math.min(rarity, Math.max(...ceilings));
  return [{ wanted, range, idf: wanted.share * idf }];
}

function rarityOf(build: Build, term: string): number | undefined {
  const range = build.postingsOf(term);
  return range && inverseDocumentFrequency(lengthOf(range), build.safeDocuments);
}

function lengthOf({ start, end }: PostingRange): number {
  return end - start;
}

/** BM25's idf in the form that is never negative (Lucene's BM25Similarity). */
function inverseDocumentFrequency(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/**
 * Scale of integer idfs, as fine as 24 bits allow: a document with every term at the highest impact must stay below
 * 2^24, even if weights below 1 become 1.
 */
function scaleOf(found: readonly Found[]): number {
  const sum = found.reduce((total, { idf }) => total + idf, 0);
  return (COVERAGE_UNIT - 1 - MAX_IMPACT * MAX_TERMS) / (MAX_IMPACT * sum);
}
