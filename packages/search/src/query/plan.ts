import { analyse } from '../analysis/analyse.ts';
import { normaliseQuery } from '../analysis/normalise.ts';
import type { Build, PostingRange } from '../build/build.ts';

/** Of a 31-bit total the upper 7 bits count the terms a document matches, the lower 24 bits add up its score. */
export const COVERAGE_UNIT: number = 2 ** 24;

/** 100 characters give at most 100 terms, which 7 bits can count; the cut makes that certain. */
const MAX_TERMS = 127;

/** One term of a query: its postings, and what it adds to a document's total. */
export interface PlannedTerm extends PostingRange {
  /** Integer idf: where a document has the term, its total grows by COVERAGE_UNIT + weight × impact. */
  weight: number;
  /** The most that all later terms of the plan can add to a total. */
  rest: number;
}

/** The distinct terms of a query that have postings in safe documents, rarest first. */
export function planQuery(build: Build, query: string): PlannedTerm[] {
  const terms = [...new Set(analyse(normaliseQuery(query)))].slice(0, MAX_TERMS);
  const ranges = terms.flatMap((term) => build.postingsOf(term) ?? []).sort((a, b) => lengthOf(a) - lengthOf(b));
  const idfs = ranges.map((range) => inverseDocumentFrequency(lengthOf(range), build.safeDocuments));
  const scale = scaleOf(idfs);
  const weights = idfs.map((idf) => Math.floor(idf * scale));
  let rest = weights.reduce((sum, weight) => sum + mostOf(weight), 0);
  return ranges.map((range, i) => {
    const weight = weights[i]!;
    rest -= mostOf(weight);
    return { ...range, weight, rest };
  });
}

function lengthOf({ start, end }: PostingRange): number {
  return end - start;
}

/** The most that a term of this weight can add to a total. */
function mostOf(weight: number): number {
  return COVERAGE_UNIT + 255 * weight;
}

/** BM25's idf in the form that is never negative (Lucene's BM25Similarity). */
function inverseDocumentFrequency(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** As fine as 24 bits allow: a document that has every term at the highest impact, 255, must stay below 2^24. */
function scaleOf(idfs: number[]): number {
  return (COVERAGE_UNIT - 1) / (255 * idfs.reduce((sum, idf) => sum + idf, 0));
}
