import { analyse } from '../analysis/analyse.ts';
import { normaliseQuery } from '../analysis/normalise.ts';
import type { Build, PostingRange } from '../build/build.ts';
import { COVERAGE_UNIT } from './candidates.ts';
import { QueryTerm } from './term.ts';

/** 100 characters give at most 100 terms, which 7 bits can count; the cut makes that certain. */
export const MAX_TERMS = 127;

/** The distinct terms of a query that have postings in safe documents, rarest first. */
export function planQuery(build: Build, query: string): QueryTerm[] {
  const terms = [...new Set(analyse(normaliseQuery(query)))].slice(0, MAX_TERMS);
  const ranges = terms.flatMap((term) => build.postingsOf(term) ?? []).sort((a, b) => lengthOf(a) - lengthOf(b));
  const idfs = Float64Array.from(ranges, (range) => inverseDocumentFrequency(lengthOf(range), build.safeDocuments));
  const scale = scaleOf(idfs);
  const weights = Int32Array.from(idfs, (idf) => idf * scale);
  let rest = weights.reduce((sum, weight) => sum + mostOf(weight), 0);
  return ranges.map((range, i) => {
    const weight = weights[i]!;
    rest -= mostOf(weight);
    return new QueryTerm(build, range, weight, rest);
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
function scaleOf(idfs: Float64Array): number {
  return (COVERAGE_UNIT - 1) / (255 * idfs.reduce((sum, idf) => sum + idf, 0));
}
