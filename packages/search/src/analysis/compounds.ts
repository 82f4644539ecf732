import { analyse } from './analyse.ts';

/** Maximum number of parts of a compound. Compounds of more parts are dates or addresses. */
const MAX_PARTS = 4;
/** Matches words that are connected by a sign instead of a blank: "Spider-Man", "U.S.A.", "R&B", "24/7", "WALL·E". */
const COMPOUND = /[\p{L}\p{N}]+(?:[-\u2010\u2011\u2013.\u00B7\u2022\u2219/&][\p{L}\p{N}]+)+/gu;
const CONNECTOR = /[-\u2010\u2011\u2013.\u00B7\u2022\u2219/&]/;

/**
 * Returns the connected words of a text as single terms: `spiderman` for "Spider-Man", `usa` for "U.S.A.", `rb` and
 * `rnb` for "R&B". A query of the separate words finds the text even without these terms.
 */
export function compounds(text: string): string[] {
  if (!CONNECTOR.test(text)) return [];
  const terms: string[] = [];
  for (const [compound] of text.matchAll(COMPOUND)) {
    const parts = analyse(compound);
    if (parts.length < 2 || parts.length > MAX_PARTS) continue;
    terms.push(parts.join(''));
    if (compound.includes('&')) terms.push(analyse(compound.replaceAll('&', ' n ')).join(''));
  }
  return terms;
}
