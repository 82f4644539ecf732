import { analyse } from '../analysis/analyse.ts';

/** Lengths of the letter groups that stand for an unknown word. */
const GROUP_LENGTHS = [3, 4, 5];
/**
 * Only words of these letters have groups. Words in other scripts are translated beforehand, or have no meaning here.
 */
const LATIN_WORD = /^[a-z0-9]{2,}$/;

/** Sizes of a table of meanings, each a number of rows. The rows of words come before those of groups. */
export interface TableShape {
  /** Numbers per row, a multiple of 128. */
  readonly dimensions: number;
  /** Known words, one row each. */
  readonly words: number;
  /** Groups of letters of unknown words. Several groups share a row. */
  readonly groups: number;
}

/** The rows of a text, each with its weight. */
export interface Features {
  readonly rows: number[];
  readonly weights: number[];
  /** Number of words that could be read. */
  readonly words: number;
}

/**
 * Returns the rows whose weighted sum is the meaning of a text: a row for each known word. A word that the table does
 * not know is read by its groups of letters, which helps with forms, joined words and misspellings (as in fastText,
 * Bojanowski et al. 2017). Empty if no word can be read.
 * @param known hashes of the known words, ascending. The place of a hash is the word's row
 */
export function featuresOf(text: string, known: Uint32Array, shape: TableShape): Features {
  const rows: number[] = [];
  const weights: number[] = [];
  const add = (row: number, weight: number): void => {
    rows.push(row);
    weights.push(weight);
  };
  let words = 0;
  for (const word of analyse(text)) {
    const row = findHash(known, hashOf(word));
    if (row >= 0) add(row, 1);
    else if (LATIN_WORD.test(word)) {
      const groups = groupsOf(word);
      for (const group of groups) add(shape.words + (hashOf(group) % shape.groups), 1 / Math.sqrt(groups.length));
    } else continue;
    words++;
  }
  return { rows, weights, words };
}

/** Returns the place of a hash in an ascending list, or -1. */
function findHash(hashes: Uint32Array, hash: number): number {
  let low = 0;
  let high = hashes.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = hashes[middle]!;
    if (found === hash) return middle;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function groupsOf(word: string): string[] {
  const marked = `<${word}>`;
  const groups: string[] = [];
  for (const length of GROUP_LENGTHS) {
    for (let start = 0; start + length <= marked.length; start++) groups.push(marked.slice(start, start + length));
  }
  return groups;
}

/** Returns the FNV-1a hash of bytes. @param seed an integer; different seeds give independent hashes */
export function hashBytes(bytes: Uint8Array, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Returns the FNV-1a hash of a text's UTF-16 code units (Fowler, Noll, Vo), an unsigned integer of 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    if (unit > 0xff) hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}
