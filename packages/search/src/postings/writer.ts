import { stem } from '../analysis/stem.ts';
import { GrowingUint32 } from '../build/growing.ts';
import { packTerms } from './dictionary.ts';
import { type FrequentTerms, markFrequent } from './frequent.ts';
import { FIELDS, type FieldName, FORM_SHARE, impactOf, occurrenceWeight, WHOLE_TAG } from './impact.ts';
import { makePosting } from './posting.ts';

export interface Postings {
  /** All terms, ascending. */
  terms: { offsets: Uint32Array; units: Uint16Array };
  offsets: Uint32Array;
  /** See posting.ts. */
  postings: Uint32Array;
  frequent: FrequentTerms;
  averageLengths: Record<FieldName, number>;
}

/**
 * Turns documents into posting lists. Impacts need the average field lengths, which are known at the end; so the
 * occurrences are noted first, as one long row of term numbers (documents in order, fields in order within a
 * document), and `finish` deals them out to the lists. What a word is inflected from is not noted: it follows from the
 * word.
 */
export class PostingsWriter {
  /** Terms are numbered as they come, and ranked in `finish`. */
  readonly #numbers = new Map<string, number>();
  readonly #occurrences = new GrowingUint32();
  /** Number of terms by document and field: FIELDS.length numbers for each document. */
  readonly #lengths = new GrowingUint32();
  /** Tags as one term each, in the same way. */
  readonly #wholes = new GrowingUint32();
  readonly #wholeCounts = new GrowingUint32();
  /** By term number: the number of the term it is inflected from, its own if it is none. */
  readonly #stems: number[] = [];
  /** By term number: how many documents have the term, and the last of them. */
  readonly #documentFrequencies: number[] = [];
  readonly #lastDocuments: number[] = [];

  /** Adds the next document: the terms of each field, and each of its tags that is no sentence as one term. */
  add(fields: Readonly<Record<FieldName, readonly string[]>>, wholeTags: readonly string[]): void {
    const document = this.#lengths.length;
    for (const field of FIELDS) {
      for (const term of fields[field]) this.#occurrences.push(this.#count(term, document));
      this.#lengths.push(fields[field].length);
    }
    for (const tag of wholeTags) this.#wholes.push(this.#count(tag, document));
    this.#wholeCounts.push(wholeTags.length);
  }

  /** Counts the document for the term and for what it is inflected from. @returns the number of the term */
  #count(term: string, document: number): number {
    const number = this.#numberOf(term);
    this.#countDocument(number, document);
    this.#countDocument(this.#stems[number]!, document);
    return number;
  }

  #countDocument(number: number, document: number): void {
    if (this.#lastDocuments[number] !== document) this.#documentFrequencies[number]! += 1;
    this.#lastDocuments[number] = document;
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(term, number);
    this.#documentFrequencies.push(0);
    this.#lastDocuments.push(-1);
    this.#stems.push(number);
    const base = stem(term);
    if (base !== term) this.#stems[number] = this.#numberOf(base);
    return number;
  }

  /** The lists; the documents below number `safeDocuments` are the safe ones. */
  finish(safeDocuments: number): Postings {
    const terms = [...this.#numbers.keys()].sort();
    const offsets = new Uint32Array(terms.length + 1);
    /** By term number: where the term's next posting goes. */
    const next = new Uint32Array(terms.length);
    for (const [rank, term] of terms.entries()) {
      const number = this.#numbers.get(term)!;
      next[number] = offsets[rank]!;
      offsets[rank + 1] = offsets[rank]! + this.#documentFrequencies[number]!;
    }
    const averageLengths = averages(this.#lengths.view());
    const postings = this.#deal(next, averageLengths);
    const frequent = markFrequent(offsets, postings, safeDocuments);
    return { terms: packTerms(terms), offsets, postings, frequent, averageLengths };
  }

  #deal(next: Uint32Array, averageLengths: Record<FieldName, number>): Uint32Array {
    const occurrences = this.#occurrences.view();
    const wholes = this.#wholes.view();
    const lengths = this.#lengths.view();
    const size = this.#documentFrequencies.reduce((sum, frequency) => sum + frequency, 0);
    const postings = new Uint32Array(size);
    const weights = new DocumentWeights(this.#stems);
    let position = 0;
    let whole = 0;
    for (const [document, wholeCount] of this.#wholeCounts.view().entries()) {
      for (const [i, field] of FIELDS.entries()) {
        const length = lengths[document * FIELDS.length + i]!;
        const weight = occurrenceWeight(field, length, averageLengths[field]);
        weights.add(occurrences.subarray(position, position + length), weight);
        position += length;
        if (field === 'tags') weights.add(wholes.subarray(whole, whole + wholeCount), WHOLE_TAG * weight);
      }
      whole += wholeCount;
      weights.drain((term, weight) => {
        const place = next[term]!;
        next[term] = place + 1;
        postings[place] = makePosting(document, impactOf(weight));
      });
    }
    return postings;
  }
}

/** The weighted frequencies of the terms of one document. */
class DocumentWeights {
  readonly #stems: readonly number[];
  readonly #weights: Float64Array;
  readonly #found: number[] = [];

  constructor(stems: readonly number[]) {
    this.#stems = stems;
    this.#weights = new Float64Array(stems.length);
  }

  /** Adds one occurrence of each of the terms, and of what they are inflected from. */
  add(terms: Uint32Array, weight: number): void {
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]!;
      const stem = this.#stems[term]!;
      this.#addTo(term, weight);
      if (stem !== term) this.#addTo(stem, FORM_SHARE * weight);
    }
  }

  #addTo(term: number, weight: number): void {
    if (this.#weights[term] === 0) this.#found.push(term);
    this.#weights[term]! += weight;
  }

  /** Gives every term with its weight, and forgets them. */
  drain(take: (term: number, weight: number) => void): void {
    for (const term of this.#found) {
      take(term, this.#weights[term]!);
      this.#weights[term] = 0;
    }
    this.#found.length = 0;
  }
}

/** Mean length of each field over the documents that have it. */
function averages(lengths: Uint32Array): Record<FieldName, number> {
  const average = (field: FieldName): number => {
    let sum = 0;
    let documents = 0;
    for (let i = FIELDS.indexOf(field); i < lengths.length; i += FIELDS.length) {
      sum += lengths[i]!;
      if (lengths[i]! > 0) documents += 1;
    }
    return documents === 0 ? 0 : sum / documents;
  };
  return { title: average('title'), tags: average('tags'), characters: average('characters'), text: average('text') };
}
