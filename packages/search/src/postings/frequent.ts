import { firstFrom, postingDocument, postingImpact } from './posting.ts';

/**
 * A term is frequent if more than one in FREQUENT safe documents has the term. With 32 instead of 64, the p99 of the
 * text benchmark was a third higher, and the text index was 15 % smaller.
 */
const FREQUENT = 64;

/** Base-2 logarithm of the number of documents per block. With 16, positions within a block fit into 16-bit numbers. */
const BLOCK_SHIFT = 16;

/**
 * A second form of the frequent terms, for safe documents only. It does not list the documents of a term, but shows
 * whether a given document has the term, and with what impact.
 */
export interface FrequentTerms {
  /** The numbers of the frequent terms, ascending. */
  terms: Uint32Array;
  /** `bitmapWords` words per frequent term. The bit of document d is in word d >> 5 at 1 << (d & 31). */
  bitmaps: Uint32Array;
  /**
   * For each word of `bitmaps`, the position where the impacts of its documents start, relative to the base of its
   * block.
   */
  places: Uint16Array;
  /** `blockCount` bases per frequent term. A base is the position where the block starts in `impacts`. */
  bases: Uint32Array;
  /** The impacts of all set bits of `bitmaps`, in order, followed by a 0 for reads past the end. */
  impacts: Uint8Array;
}

export function bitmapWords(safeDocuments: number): number {
  return (safeDocuments + 31) >> 5;
}

export function blockCount(safeDocuments: number): number {
  return (safeDocuments + (1 << BLOCK_SHIFT) - 1) >> BLOCK_SHIFT;
}

export function blockOf(document: number): number {
  return document >>> BLOCK_SHIFT;
}

/** Returns the number of set bits of a word (Warren, "Hacker's Delight", §5-1). */
export function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Finds the frequent terms of the posting lists and writes their second form. `offsets` has the start of each list, and
 * the end of the last list.
 */
export function markFrequent(offsets: Uint32Array, postings: Uint32Array, safeDocuments: number): FrequentTerms {
  const lists = safeListsOfFrequent(offsets, postings, safeDocuments);
  const words = bitmapWords(safeDocuments);
  const blocks = blockCount(safeDocuments);
  const frequent: FrequentTerms = {
    terms: Uint32Array.from(lists.keys()),
    bitmaps: new Uint32Array(lists.size * words),
    places: new Uint16Array(lists.size * words),
    bases: new Uint32Array(lists.size * blocks),
    impacts: new Uint8Array([...lists.values()].reduce((sum, { length }) => sum + length, 1)),
  };
  let place = 0;
  for (const [i, list] of [...lists.values()].entries()) {
    const bitmap = frequent.bitmaps.subarray(i * words, (i + 1) * words);
    frequent.impacts.set(list.map(postingImpact), place);
    for (const posting of list) bitmap[postingDocument(posting) >>> 5]! |= 1 << (postingDocument(posting) & 31);
    for (let word = 0; word < words; word++) {
      const block = i * blocks + blockOf(word * 32);
      if ((word * 32) % (1 << BLOCK_SHIFT) === 0) frequent.bases[block] = place;
      frequent.places[i * words + word] = place - frequent.bases[block]!;
      place += countBits(bitmap[word]!);
    }
  }
  return frequent;
}

/** Returns the posting lists of the frequent terms in safe documents, keyed by term number. */
function safeListsOfFrequent(
  offsets: Uint32Array,
  postings: Uint32Array,
  safeDocuments: number,
): Map<number, Uint32Array> {
  const lists = new Map<number, Uint32Array>();
  for (let term = 0; term + 1 < offsets.length; term++) {
    const list = postings.subarray(offsets[term], offsets[term + 1]);
    if (list.length * FREQUENT <= safeDocuments) continue;
    const safe = list.subarray(0, firstFrom(list, safeDocuments));
    if (safe.length * FREQUENT > safeDocuments) lists.set(term, safe);
  }
  return lists;
}
