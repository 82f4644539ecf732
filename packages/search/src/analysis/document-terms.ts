import { analyseDocument } from './analyse.ts';
import { compounds } from './compounds.ts';
import { variantsOf } from './variants.ts';

/**
 * Returns all terms by which a text can be found: first the terms of `analyseDocument` in order, then connected words
 * as one term, then other forms of the words.
 */
export function documentTerms(text: string): string[] {
  return [...analyseDocument(text), ...compounds(text), ...[...variantsOf(text).values()].flat()];
}
