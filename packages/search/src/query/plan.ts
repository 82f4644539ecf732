import { analyse } from '../analysis/analyse.ts';
import { normaliseQuery } from '../analysis/normalise.ts';
import type { Build, PostingRange } from '../build/build.ts';

/** Of a 31-bit total the upper 7 bits count the terms a document matches, the lower 24 bits add up its score. */
export const COVERAGE_UNIT: number = 2 ** 24;

/** 100 characters give at most 100 terms, which 7 bits can count; the cut makes that certain. */
const MAX_TERMS = 127;

/** One term of a query: its postings, and what it adds to a document's total. */
export interface PlannedTerm extends PostingRange {
  /** Integer idf, so that the term adds COVERAGE_UNIT + weight × impact. */
  weight: number;
  /** The most that the terms after this one can add. */
  rest: number;
}

/** The distinct terms of a query that have postings, rarest first. */
export function planQuery(build: Build, query: string): PlannedTerm[] {
  const terms = new Set(analyse(normaliseQuery(query)));
  const ranges = [...terms].slice(0, MAX_TERMS).flatMap((term) => build.postingsOf(term) ?? []);
  ranges.sort((a, b) => a.end - a.start - (b.end - b.start));
  const idfs = ranges.map(({ start, end }) => inverseDocumentFrequency(end - start, build.safeDocuments));
  const scale = scaleOf(idfs);
  let rest = 0;
  const plan: PlannedTerm[] = [];
  for (const [i, range] of [...ranges.entries()].reverse()) {
    const weight = Math.floor(idfs[i]! * scale);
    plan.unshift({ ...range, weight, rest });
    rest += COVERAGE_UNIT + 255 * weight;
  }
  return plan;
}

/** BM25's idf in the form that is never negative (Lucene's BM25Similarity). */
function inverseDocumentFrequency(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** As fine as 24 bits allow: a document that has every term at the highest impact, 255, must stay below 2^24. */
function scaleOf(idfs: number[]): number {
  return (COVERAGE_UNIT - 1) / (255 * idfs.reduce((sum, idf) => sum + idf, 0));
}
