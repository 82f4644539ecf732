import { GrowingUint32 } from '../build/growing.ts';
import { packTerms } from './dictionary.ts';
import { type FrequentTerms, markFrequent } from './frequent.ts';
import { FIELDS, type FieldName, impactOf, occurrenceWeight } from './impact.ts';
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
 * document), and `finish` deals them out to the lists.
 */
export class PostingsWriter {
  /** Terms are numbered as they come, and ranked in `finish`. */
  readonly #numbers = new Map<string, number>();
  readonly #occurrences = new GrowingUint32();
  /** Number of terms by document and field: FIELDS.length numbers for each document. */
  readonly #lengths = new GrowingUint32();
  /** By term number: how many documents have the term, and the last of them. */
  readonly #documentFrequencies: number[] = [];
  readonly #lastDocuments: number[] = [];

  /** Adds the next document: the terms of each field. */
  add(fields: Readonly<Record<FieldName, readonly string[]>>): void {
    const document = this.#lengths.length;
    for (const field of FIELDS) {
      for (const term of fields[field]) this.#addOccurrence(term, document);
      this.#lengths.push(fields[field].length);
    }
  }

  #addOccurrence(term: string, document: number): void {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(term, number);
      this.#documentFrequencies.push(0);
      this.#lastDocuments.push(-1);
    }
    if (this.#lastDocuments[number] !== document) this.#documentFrequencies[number]! += 1;
    this.#lastDocuments[number] = document;
    this.#occurrences.push(number);
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
    const lengths = this.#lengths.view();
    const size = this.#documentFrequencies.reduce((sum, frequency) => sum + frequency, 0);
    const postings = new Uint32Array(size);
    const weighted = new Float64Array(next.length);
    const found: number[] = [];
    let position = 0;
    for (let document = 0; document * FIELDS.length < lengths.length; document++) {
      for (const [i, field] of FIELDS.entries()) {
        const length = lengths[document * FIELDS.length + i]!;
        const weight = occurrenceWeight(field, length, averageLengths[field]);
        for (const end = position + length; position < end; position++) {
          const term = occurrences[position]!;
          if (weighted[term] === 0) found.push(term);
          weighted[term]! += weight;
        }
      }
      for (const term of found) {
        const place = next[term]!;
        next[term] = place + 1;
        postings[place] = makePosting(document, impactOf(weighted[term]!));
        weighted[term] = 0;
      }
      found.length = 0;
    }
    return postings;
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
