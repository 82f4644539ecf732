import { countWords, type NaiveSearcher } from './naive.ts';
import { naiveVectorSearch } from './naive-vectors.ts';

/** The input of both legs. */
export interface NaiveCorpus {
  words: NaiveSearcher;
  /** The vectors of the safe documents, in build order. A document without a vector has zeros. */
  vectors: Float32Array[];
  meanCosine: number;
}

export interface NaiveHit {
  document: number;
  score: number;
  words: number;
  meaning: number;
}

/**
 * Reference implementation of the mixed search: results of both legs as maps, and a sort. Repeats all constants
 * independently.
 */
export function naiveMixedSearch(
  { words, vectors, meanCosine }: NaiveCorpus,
  { text, vector }: { text: string; vector: Float32Array },
  limit: number,
  hidden: ReadonlySet<number> = new Set(),
): NaiveHit[] {
  const nearest = naiveVectorSearch(vectors, vector, vectors.length).map(([document]) => document);
  const near = nearest.filter((document) => !hidden.has(document));
  const scores = words.scores(text);
  // Includes all documents. The scan drops distant documents, but they can match by words.
  const cosines = new Map(naiveVectorSearch(vectors, vector, vectors.length, { candidates: vectors.length }));
  const counted = countWords(text);
  const weight = counted === 0 || counted >= 4 ? 0.6 : counted === 1 ? 0 : 0.15;
  const found = words.search(text, limit, hidden);
  const floor = counted > 0 && counted <= 4 && found.length > 0 ? 0.5 : 1 / 3;
  return [...new Set([...found, ...near.slice(0, limit)])]
    .map((document) => {
      const score = scores.get(document) ?? 0;
      const byWords = counted > 0 && counted <= 4 && score < 1 ? 0 : score;
      const meaning = Math.max(0, ((cosines.get(document) ?? 0) - meanCosine) / (1 - meanCosine));
      const least = counted === 4 ? byWords - 0.95 * Math.max(0, Math.floor(byWords) - 1) : byWords;
      return { document, score: least + weight * meaning, words: byWords, meaning };
    })
    .filter((hit) => hit.words > 0 || hit.meaning >= floor)
    .sort((a, b) => b.score - a.score || b.meaning - a.meaning || a.document - b.document)
    .slice(0, limit);
}
