import { analyse } from '../analysis/analyse.ts';
import { unitsOf } from '../suggest/grams.ts';
import { checksum } from './checksum.ts';
import type { IndexDocument } from './document.ts';

/** The key of a document without a title. */
export const NO_TITLE = 0;

/**
 * Returns a number of 32 bits that is equal for equal titles of one source, or 0 for a document without a title. Titles
 * are compared as queries are: without capitals, accents and punctuation.
 */
export function titleKey({ title, source = '' }: Pick<IndexDocument, 'title' | 'source'>): number {
  const words = analyse(title);
  if (words.length === 0) return NO_TITLE;
  return checksum(new Uint8Array(unitsOf([source, ...words].join('\n')).buffer));
}
