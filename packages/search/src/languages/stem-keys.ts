import { accentedKey, aloneKey, type Entry, stemKey } from './format.ts';
import { inflectedLanguages, stemIn } from './stems.ts';

/** Maximum number of words in a phrase that is stemmed. */
const MAX_STEMMED_WORDS = 3;

/**
 * Returns the keys for looking up a term by its stem, for terms that have a meaning. If several terms have the same
 * stem and meaning, only the first of these terms gets a key.
 */
export function stemKeysOf(
  terms: Iterable<readonly [term: string, entries: readonly Entry[]]>,
): { key: string; language: number }[] {
  const known = new Set<string>();
  const keys: { key: string; language: number }[] = [];
  for (const [term, entries] of terms) {
    const words = term.split(' ');
    const isTerm = !term.startsWith(aloneKey('')) && !term.startsWith(accentedKey(''));
    if (!isTerm || words.length > MAX_STEMMED_WORDS) continue;
    const inflected = inflectedLanguages(term);
    for (const { language, alternatives } of entries) {
      if (alternatives.length === 0 || !inflected.includes(language)) continue;
      const root = words.map((word) => stemIn(language, word)).join(' ');
      const same = [language, root, ...alternatives.map(({ phrase }) => phrase)].join('\t');
      if (known.has(same)) continue;
      known.add(same);
      keys.push({ key: stemKey(root) + term, language });
    }
  }
  return keys;
}
