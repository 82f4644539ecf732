import type { ScoredDocuments } from './merge.ts';

/**
 * Returns the documents that have most of a name. If a document has at least two words of the name, others need more
 * than half as many words: a GIF of "Cuticle Tantei Inaba" is no reason to show every "Tantei".
 * @param words each document's score in the words leg
 */
export function withMostOfName({ documents, scores }: ScoredDocuments, words: Float64Array): ScoredDocuments {
  const matched = words.map(Math.floor);
  const most = matched.reduce((a, b) => Math.max(a, b), 0);
  const isKept = (_: number, i: number) => most < 2 || matched[i]! > most / 2;
  return { documents: documents.filter(isKept), scores: scores.filter(isKept) };
}
