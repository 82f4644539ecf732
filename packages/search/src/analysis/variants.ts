import { analyse } from './analyse.ts';
import { fold } from './fold.ts';
import { normalise } from './normalise.ts';

/**
 * A word that has lost its last vowel before another word: "l'amour", "d'art", "j'aime", "dell'amore". Most of these
 * words are from Lucene's ElisionFilter for French and Italian.
 */
const ELIDED =
  /(?<![\p{L}\p{N}'’])(?:[cdjlmnst]|qu|jusqu|quoiqu|lorsqu|puisqu|quelqu|un|all|dall|dell|nell|sull|quell)['’](?<rest>[\p{L}--[b-df-gj-np-tv-z]][\p{L}\p{M}]{2,})/gv;
const UMLAUT = /[äöü]/g;
/** The letters that people type for umlauts on keyboards without umlauts. */
const SPELLED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
const WITH_UMLAUT = /[\p{L}\p{M}\p{N}]*[äöü][\p{L}\p{M}\p{N}]*/gu;
/**
 * "For" and the article in Arabic: "for the house", "for the meeting". If a word itself begins with lam, one lam of the
 * two remains.
 */
const FOR_THE = /(?<!\p{L})لل(?<rest>\p{L}{2,})/gu;
/** A text without any of these characters has no variants. */
const SIGN = /['’äöüÄÖÜ]|\u0308|ل\u0640*ل/;

/**
 * Returns other forms of the words of a text, keyed by the term of the word (see `analyse`): `amour` for "l'amour",
 * `baer` for "Bär". These forms are additional terms of documents, and queries look for them.
 */
export function variantsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const variants = new Map<string, string[]>();
  if (!SIGN.test(text)) return variants;
  const normal = normalise(text);
  for (const { 0: whole, groups } of normal.matchAll(ELIDED)) add(variants, whole, groups!['rest']!);
  for (const [word] of normal.matchAll(WITH_UMLAUT)) {
    add(
      variants,
      word,
      word.replace(UMLAUT, (letter) => SPELLED[letter]!),
    );
  }
  for (const { 0: word, groups } of fold(text).matchAll(FOR_THE)) {
    for (const start of ['', 'ل']) add(variants, word, start + groups!['rest']!);
  }
  return variants;
}

function add(variants: Map<string, string[]>, word: string, form: string): void {
  const [term, other] = [analyse(word), analyse(form)];
  if (term.length !== 1 || other.length !== 1 || term[0] === other[0]) return;
  variants.set(term[0]!, [...(variants.get(term[0]!) ?? []), other[0]!]);
}
