import { analyse } from '../analysis/analyse.ts';
import { FIELDS } from './impact.ts';

/**
 * Minimum number of documents that have a phrase. A phrase in fewer documents is not a term, because its single words
 * find the same documents. In a large catalogue, the minimum is higher (LEAST_SHARE), because more pairs occur by
 * chance: with a million synthetic titles, the pairs that three titles share would take a tenth of the index.
 */
const LEAST_DOCUMENTS = 3;
/**
 * In a catalogue of at most this many documents, every pair is a phrase, because pairs are rarely repeated in a small
 * catalogue. (A query of one joined word, such as "facepalm", finds "face palm" only if this pair is a phrase.)
 */
const SMALL_CATALOGUE = 1_000;
const LEAST_SHARE = 1 / 20_000;
/** Maximum count, because a count is one byte. */
const MAX_COUNT = 255;
/** Packs two term numbers into one: exact in a double if both have at most 26 bits. */
const SHIFT = 2 ** 26;
/**
 * Number of bits of the hash by which pairs are first counted, so that most rare pairs are dropped without being
 * stored.
 */
const HASH_BITS = 22;
const TITLE = FIELDS.indexOf('title');
/** A phrase in quotation marks. */
const QUOTED = /["“„«]([^"“”„«»]+)["“”»]/g;

/** Returns the term of a phrase of two words. No word contains a blank. */
export function phraseTerm(first: string, second: string): string {
  return `${first} ${second}`;
}

/** Returns the phrases of two words in the query's quotation marks. */
export function quotedPhrases(query: string): string[] {
  return Array.from(query.matchAll(QUOTED), ([, text]) => analyse(text!)).flatMap((words) =>
    words.slice(1).map((word, i) => phraseTerm(words[i]!, word)),
  );
}

/** Two neighbouring words of titles, as the numbers of their terms, and the number of documents with this pair. */
export interface TitlePhrase {
  first: number;
  second: number;
  documents: number;
}

/** The rows of term numbers of a build: the terms of each document, field by field, one document after the other. */
export interface Rows {
  terms: Uint32Array;
  /** Number of terms per document and field. */
  lengths: Uint32Array;
}

/** Returns a key for a pair of term numbers. */
export function pairKey(first: number, second: number): number {
  return first * SHIFT + second;
}

/** Returns the already known two-word phrases in these titles, in the order in which they first occur. */
export function findKnownPhrases(rows: Rows, isKnown: (first: number, second: number) => boolean): TitlePhrase[] {
  return [...countPairs(rows, isKnown).values()];
}

/**
 * Returns the phrases of two words that are in the titles of several documents, in the order in which they first occur.
 */
export function findPhrases(rows: Rows): TitlePhrase[] {
  const documents = rows.lengths.length / FIELDS.length;
  const usual = documents <= SMALL_CATALOGUE ? 1 : LEAST_DOCUMENTS;
  const least = Math.min(MAX_COUNT, Math.max(usual, Math.ceil(documents * LEAST_SHARE)));
  const buckets = new Uint8Array(2 ** HASH_BITS);
  eachPair(rows, (first, second) => {
    const bucket = bucketOf(first, second);
    if (buckets[bucket]! < least) buckets[bucket]! += 1;
  });
  const found = countPairs(rows, (first, second) => buckets[bucketOf(first, second)]! >= least);
  return Array.from(found.values()).filter(({ documents }) => documents >= least);
}

/**
 * Counts the titles in which each pair of neighbours occurs, keyed by `pairKey`. It counts only pairs that `isCounted`
 * accepts.
 */
function countPairs(rows: Rows, isCounted: (first: number, second: number) => boolean): Map<number, TitlePhrase> {
  const found = new Map<number, TitlePhrase & { last: number }>();
  eachPair(rows, (first, second, document) => {
    const key = pairKey(first, second);
    const known = found.get(key);
    if (known === undefined) {
      if (isCounted(first, second)) found.set(key, { first, second, documents: 1, last: document });
    } else if (known.last !== document) {
      known.documents += 1;
      known.last = document;
    }
  });
  return found;
}

function eachPair({ terms, lengths }: Rows, take: (first: number, second: number, document: number) => void): void {
  let position = 0;
  for (let document = 0; document * FIELDS.length < lengths.length; document++) {
    for (let field = 0; field < FIELDS.length; field++) {
      const end = position + lengths[document * FIELDS.length + field]!;
      if (field === TITLE) for (let i = position + 1; i < end; i++) take(terms[i - 1]!, terms[i]!, document);
      position = end;
    }
  }
}

/**
 * Hashes a pair by multiplication. The upper bits of the product are the best distributed ones (Knuth, "The Art of
 * Computer Programming" 3, §6.4).
 */
function bucketOf(first: number, second: number): number {
  return Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) >>> (32 - HASH_BITS);
}
