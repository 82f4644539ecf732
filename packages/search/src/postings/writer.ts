import { baseOf } from '../analysis/offensive.ts';
import { stem } from '../analysis/stem.ts';
import { GrowingUint32 } from '../build/growing.ts';
import { packTerms } from './dictionary.ts';
import { type FrequentTerms, markFrequent } from './frequent.ts';
import { FIELDS, type FieldName, FORM_SHARE, impactOf, occurrenceWeight, REPEATED_SHARE, WHOLE_TAG } from './impact.ts';
import { joinedTerm, joinWords } from './joined-words.ts';
import { findKnownPhrases, findPhrases, pairKey, phraseTerm } from './phrases.ts';
import { makePosting } from './posting.ts';
import type { DocumentTerms } from './texts.ts';

const TITLE = FIELDS.indexOf('title');

export interface Postings {
  /** All terms, ascending. */
  terms: { offsets: Uint32Array; units: Uint16Array };
  offsets: Uint32Array;
  /** See posting.ts. */
  postings: Uint32Array;
  frequent: FrequentTerms;
  averageLengths: Record<FieldName, number>;
}

/** The terms of all documents, without the postings. */
export interface Counts extends Pick<Postings, 'terms' | 'averageLengths'> {
  /** Number of documents that have each term. */
  frequencies: Uint32Array;
}

/** The statistics that a delta takes from its base, so that the impacts of both can be compared. */
export interface SharedStatistics {
  averageLengths: Readonly<Record<FieldName, number>>;
  /** Whether the base has a term. Phrases and joined words are terms of a delta only if they are terms of its base. */
  isTerm: (term: string) => boolean;
}

/**
 * Turns documents into posting lists. Impacts depend on the average field lengths, which are known only at the end.
 * Therefore occurrences are first recorded as one long row of term numbers (by document, then by field). `finish`
 * distributes them to the lists. Base forms are not recorded, because they follow from the words.
 */
export class PostingsWriter {
  /** Terms are numbered as they occur, and sorted in `finish`. */
  readonly #numbers = new Map<string, number>();
  readonly #occurrences = new GrowingUint32();
  /** Number of terms per document and field: FIELDS.length numbers per document. */
  readonly #lengths = new GrowingUint32();
  /** A second row of term numbers, for whole tags as single terms. */
  readonly #wholes = new GrowingUint32();
  readonly #wholeCounts = new GrowingUint32();
  /** For each term number, the number of the term's base form, or the same number if it has no other base form. */
  readonly #stems: number[] = [];
  /**
   * By term number: the number of documents that have the term, and the place in `#lengths` of the last of these
   * documents.
   */
  readonly #documentFrequencies: number[] = [];
  readonly #lastDocuments: number[] = [];
  readonly #shared: SharedStatistics | undefined;

  /** @param shared only for a delta. A base computes its statistics from its own documents */
  constructor(shared?: SharedStatistics) {
    this.#shared = shared;
  }

  /** Adds the next document. */
  add({ fields, wholeTags }: DocumentTerms): void {
    const document = this.#lengths.length;
    for (const field of FIELDS) {
      for (const term of fields[field]) this.#occurrences.push(this.#count(term, document));
      this.#lengths.push(fields[field].length);
    }
    for (const tag of wholeTags) this.#wholes.push(this.#count(tag, document));
    this.#wholeCounts.push(wholeTags.length);
  }

  /** Counts the document for the term and its base form. @returns the number of the term */
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
    const base = baseOf(term, stem);
    if (base !== term) this.#stems[number] = this.#numberOf(base);
    return number;
  }

  /** Adds the frequent phrases of titles as terms. @returns the phrases' numbers, keyed by `pairKey` */
  #addPhrases(): Map<number, number> {
    const words = [...this.#numbers.keys()];
    const rows = { terms: this.#occurrences.view(), lengths: this.#lengths.view() };
    const shared = this.#shared;
    const phrases =
      shared === undefined
        ? findPhrases(rows)
        : findKnownPhrases(rows, (first, second) => shared.isTerm(phraseTerm(words[first]!, words[second]!)));
    return new Map(
      phrases.map(({ first, second, documents }) => {
        const number = this.#numbers.size;
        this.#numbers.set(phraseTerm(words[first]!, words[second]!), number);
        this.#documentFrequencies.push(documents);
        this.#stems.push(number);
        return [pairKey(first, second), number];
      }),
    );
  }

  /**
   * Adds the joined forms of neighbouring words in titles, such as `facepalm` for `face palm`, if the catalogue has them
   * as words.
   * @returns a function that returns the number of the joined form of two terms, or undefined
   */
  #addJoined(): (first: number, second: number) => number | undefined {
    const words = [...this.#numbers.keys()];
    const shared = this.#shared;
    const find = (first: number, second: number): number | undefined => {
      const joined = joinWords(words[first]!, words[second]!);
      if (joined === undefined) return undefined;
      const isWord = shared === undefined ? this.#numbers.has(joined) : shared.isTerm(joined);
      return isWord ? this.#numberOf(joinedTerm(joined)) : undefined;
    };
    const occurrences = this.#occurrences.view();
    const lengths = this.#lengths.view();
    let position = 0;
    for (let i = 0; i < this.#wholeCounts.length; i++) {
      const document = i * FIELDS.length;
      const title = occurrences.subarray(position, position + lengths[document + TITLE]!);
      for (const term of joinedIn(title, find)) this.#countDocument(term, document);
      position += sumOf(lengths, document, FIELDS.length);
    }
    return find;
  }

  /** Returns the terms and their frequencies only. */
  finishCounts(): Counts {
    this.#addJoined();
    this.#addPhrases();
    const terms = [...this.#numbers.keys()].sort();
    const frequencies = Uint32Array.from(terms, (term) => this.#documentFrequencies[this.#numbers.get(term)!]!);
    const averageLengths = averages(this.#lengths.view(), this.#shared?.averageLengths);
    return { terms: packTerms(terms), frequencies, averageLengths };
  }

  /** Returns the posting lists. Documents below number `safeDocuments` are safe. */
  finish(safeDocuments: number): Postings {
    const joined = this.#addJoined();
    const phrases = this.#addPhrases();
    const terms = [...this.#numbers.keys()].sort();
    const offsets = new Uint32Array(terms.length + 1);
    /** The position of each term's next posting, indexed by term number. */
    const next = new Uint32Array(terms.length);
    for (const [rank, term] of terms.entries()) {
      const number = this.#numbers.get(term)!;
      next[number] = offsets[rank]!;
      offsets[rank + 1] = offsets[rank]! + this.#documentFrequencies[number]!;
    }
    const averageLengths = averages(this.#lengths.view(), this.#shared?.averageLengths);
    const postings = this.#deal({ next, phrases, joined, averageLengths });
    const frequent = markFrequent(offsets, postings, safeDocuments);
    return { terms: packTerms(terms), offsets, postings, frequent, averageLengths };
  }

  #deal({
    next,
    phrases,
    joined,
    averageLengths,
  }: {
    next: Uint32Array;
    phrases: ReadonlyMap<number, number>;
    joined: (first: number, second: number) => number | undefined;
    averageLengths: Record<FieldName, number>;
  }): Uint32Array {
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
        const terms = occurrences.subarray(position, position + length);
        if (i !== TITLE) weights.add(terms, weight);
        else {
          weights.add(terms, REPEATED_SHARE * weight);
          weights.add(new Uint32Array(new Set(terms)), (1 - REPEATED_SHARE) * weight);
          weights.add(phrasesIn(terms, phrases), weight);
          weights.add(joinedIn(terms, joined), weight);
        }
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

/** Returns the numbers of the phrases in a title. */
function phrasesIn(terms: Uint32Array, phrases: ReadonlyMap<number, number>): Uint32Array {
  const found: number[] = [];
  for (let i = 1; i < terms.length; i++) {
    const number = phrases.get(pairKey(terms[i - 1]!, terms[i]!));
    if (number !== undefined) found.push(number);
  }
  return Uint32Array.from(found);
}

/** Returns the numbers of the joined forms of neighbours in a title. */
function joinedIn(terms: Uint32Array, find: (first: number, second: number) => number | undefined): Uint32Array {
  const found: number[] = [];
  for (let i = 1; i < terms.length; i++) {
    const number = find(terms[i - 1]!, terms[i]!);
    if (number !== undefined) found.push(number);
  }
  return Uint32Array.from(found);
}

function sumOf(lengths: Uint32Array, from: number, count: number): number {
  let sum = 0;
  for (let i = from; i < from + count; i++) sum += lengths[i]!;
  return sum;
}

/** Weighted frequencies of the terms of one document. */
class DocumentWeights {
  readonly #stems: readonly number[];
  readonly #weights: Float64Array;
  readonly #found: number[] = [];

  constructor(stems: readonly number[]) {
    this.#stems = stems;
    this.#weights = new Float64Array(stems.length);
  }

  /** Adds one occurrence of each term and of its base form. */
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

  /** Passes each term with its weight to `take`, and resets. */
  drain(take: (term: number, weight: number) => void): void {
    for (const term of this.#found) {
      take(term, this.#weights[term]!);
      this.#weights[term] = 0;
    }
    this.#found.length = 0;
  }
}

/** Returns the mean length of each field over the documents that have the field, unless the mean is known. */
function averages(lengths: Uint32Array, known?: Readonly<Record<FieldName, number>>): Record<FieldName, number> {
  const average = (field: FieldName): number => {
    // A known mean of 0 means that no document of the base has the field.
    if (known !== undefined && known[field] > 0) return known[field];
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
