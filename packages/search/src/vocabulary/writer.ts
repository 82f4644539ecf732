import { NO_WORDS, type OffensiveWords } from '../analysis/offensive.ts';
import { checksum } from '../build/checksum.ts';
import { readTexts, type Texts } from '../postings/texts.ts';
import { PostingsWriter } from '../postings/writer.ts';
import { writeTerms } from '../suggest/sections.ts';
import { TermCounter } from '../suggest/term-counter.ts';
import { VOCABULARY_VERSION, type Vocabulary, type VocabularyPart } from './vocabulary.ts';

/** Writes a part of a vocabulary: `add` every safe document in any order, then call `finish` once. */
export class VocabularyWriter {
  readonly #base: Vocabulary | undefined;
  readonly #postings: PostingsWriter;
  readonly #words: OffensiveWords;
  readonly #terms: TermCounter;
  #documents = 0;

  /**
   * @param base for a delta, the vocabulary that it follows
   * @param words offensive words. A document with one of these words is found only by queries with one of them.
   *   Completions contain none of them
   */
  constructor(base?: Vocabulary, words: OffensiveWords = NO_WORDS) {
    this.#base = base;
    this.#words = words;
    this.#terms = new TermCounter(words);
    this.#postings = new PostingsWriter(base);
  }

  /**
   * @param state `replaced` if the base already has an earlier version of the document. Searches then count its terms
   * twice, as in a build with deltas. Completion counts them once
   */
  add(document: Texts, state: 'new' | 'replaced' = 'new'): void {
    this.#postings.add(readTexts(document, this.#words));
    this.#documents++;
    if (state === 'new') this.#terms.add(document);
  }

  finish(): VocabularyPart {
    const { terms, frequencies, averageLengths } = this.#postings.finishCounts();
    const sections = new Map<string, Uint8Array>([
      ['dictionary-offsets', bytesOf(terms.offsets)],
      ['dictionary-terms', bytesOf(terms.units)],
      ['frequencies', bytesOf(frequencies)],
      ...writeTerms(this.#terms.finish(this.#base?.safeDocuments)),
    ]);
    const manifest = {
      format: VOCABULARY_VERSION,
      documents: this.#documents,
      terms: frequencies.length,
      averageLengths,
      sections: Array.from(sections, ([name, bytes]) => ({ name, bytes: bytes.length, checksum: checksum(bytes) })),
    };
    return { manifest, sections };
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
