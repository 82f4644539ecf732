import { NO_WORDS, type OffensiveWords } from '../analysis/offensive.ts';
import { Dictionary } from '../postings/dictionary.ts';
import { postingDocument, postingImpact } from '../postings/posting.ts';
import { readTexts, type Texts } from '../postings/texts.ts';
import { PostingsWriter } from '../postings/writer.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Returns the terms of each document with their impacts (1 to 255), in order. These are the postings of the documents
 * in a build with the vocabulary's statistics.
 * @param words offensive words. A document with one of these words is found only by queries with one of them
 */
export function impactsOf(
  documents: readonly Texts[],
  vocabulary: Vocabulary,
  words: OffensiveWords = NO_WORDS,
): Map<string, number>[] {
  const writer = new PostingsWriter(vocabulary);
  for (const document of documents) writer.add(readTexts(document, words));
  const { terms, offsets, postings } = writer.finish(documents.length);
  const impacts = documents.map(() => new Map<string, number>());
  let number = 0;
  for (const term of new Dictionary(terms.offsets, terms.units).terms()) {
    for (const posting of postings.subarray(offsets[number]!, offsets[++number]!)) {
      impacts[postingDocument(posting)]!.set(term, postingImpact(posting));
    }
  }
  return impacts;
}
