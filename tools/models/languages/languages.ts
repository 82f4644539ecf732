import { stem } from '../../../packages/search/src/analysis/stem.ts';
import {
  type Alternative,
  accentedKey,
  aloneKey,
  EMOJI,
  ENGLISH,
  type Entry,
  FIRST_LESS_SEARCHED,
  isRomanised,
  LANGUAGES,
  MAX_TERM_LENGTH,
  plainerKey,
  RARE_ENGLISH,
  spellingKey,
} from '../../../packages/search/src/languages/format.ts';
import { keyOf } from '../../../packages/search/src/languages/segments.ts';
import { stemKeysOf } from '../../../packages/search/src/languages/stem-keys.ts';
import { writeLanguages } from '../../../packages/search/src/languages/writer.ts';
import { readEmojiNames, readEnglishNames, readVocabularies } from './cldr.ts';
import { emojiAlternatives } from './emoji.ts';
import { readEnglishWords, readWordLists } from './english.ts';
import {
  distinct,
  type OwnTerm,
  readEmoji,
  readEveryday,
  readFunctionWords,
  readThesaurus,
  SEVERAL_WORDS,
} from './tables.ts';
import { createTranslator } from './translate.ts';

/** Minimum length of a very rare word. Shorter words are never corrected (see `SHORTEST_SLIP`). */
const SHORTEST_SPELLING = 4;
/** Maximum number of words in an n-gram that is looked up. */
const MAX_WORDS = 4;
/**
 * Minimum weight at which CLDR's translation of a term is trusted. LIKELY_NAME applies if our tables also have this
 * translation, and the next constant if they do not.
 */
const LIKELY_NAME = 0.7;
const SURE_NAME = 0.95;
/** The highest weight of our own meanings if CLDR's translation is trusted, and so comes first. */
const AFTER_NAME = 0.875;
const PLAIN_WORD = /^[a-z0-9]+$/;

/** The entries of each term, at most one for each language. */
type Entries = Map<string, Entry[]>;

/** Returns the bytes of languages.bin: all terms in CLDR and in our own tables, translated into English. */
export function makeLanguages(): Uint8Array {
  const vocabularies = readVocabularies();
  const numbers = numberLanguages(vocabularies.keys());
  const english = vocabularies.get('en')!;
  const frequencies = readEnglishWords();
  const translate = createTranslator(english, ownMeanings(), (word) => frequencies.get(word) ?? 0);
  const entries: Entries = new Map();
  for (const [language, vocabulary] of vocabularies) {
    if (language === 'en') continue;
    for (const [term, pictures] of vocabulary) {
      const { meant } = translate(pictures);
      if (meant.length > 0) put(entries, term, { language: numbers.get(language)!, alternatives: meant });
    }
  }
  putEmoji(entries);
  putFunctionWords(entries, numbers);
  const { common, rare, rarest } = readWordLists();
  putEnglish(entries, { language: RARE_ENGLISH, words: rare });
  const terms = readEveryday((word) => frequencies.get(word) ?? 0);
  const everyday = terms.filter(({ accented }) => accented === undefined);
  // English words stay English, even if another language could be written like them in Latin letters.
  const usual = everyday.filter(({ language }) => !isRomanised(numbers.get(language)!));
  const borrowed = new Set(usual.filter(isForeign).map(({ term }) => term));
  for (const word of [...common, ...rare]) borrowed.delete(word);
  const own = [...frequencies.keys(), ...english.keys()].filter((word) => !borrowed.has(word));
  const same = everyday.filter((each) => !isForeign(each)).map(({ term }) => term);
  putEnglish(entries, { language: ENGLISH, words: [...own, ...same, ...common] });
  for (const { term, language, alternatives } of everyday) {
    const number = numbers.get(language)!;
    if (isFunctionWord(entries, term, number)) {
      putEntry(entries, aloneKey(term), { language: number, alternatives });
      continue;
    }
    const pictures = vocabularies.get(language)?.get(term);
    const named = pictures === undefined ? [] : translate(pictures).translated;
    put(entries, term, { language: number, alternatives: withNames(term, alternatives, named) });
  }
  putAccented(entries, terms, numbers);
  putPlainer(entries);
  putSpellings(entries, rarest);
  putStems(entries);
  sortEntries(entries);
  return writeLanguages(entries);
}

function numberLanguages(codes: Iterable<string>): Map<string, number> {
  const others = [...new Set(codes)].filter((code) => !LANGUAGES.includes(code)).sort();
  return new Map([...LANGUAGES, ...others].map((code, i) => [code, i]));
}

function ownMeanings(): Parameters<typeof createTranslator>[1] {
  const meanings = readEmoji();
  const { all, faces } = readEmojiNames();
  const known = all.filter((emoji) => meanings.has(keyOf(emoji)));
  return { own: new Map(known.map((emoji) => [emoji, meanings.get(keyOf(emoji))!])), faces };
}

function putEmoji(entries: Entries): void {
  const own = readEmoji();
  for (const [emoji, alternatives] of emojiAlternatives(readEnglishNames(), own)) {
    put(entries, emoji, { language: EMOJI, alternatives });
  }
}

/** Replaces CLDR's meanings by function words. For example, French "on" means "we", and not the emoji 🔛. */
function putFunctionWords(entries: Entries, numbers: ReadonlyMap<string, number>): void {
  for (const [language, words] of readFunctionWords()) {
    for (const word of words) put(entries, word, { language: numbers.get(language)!, alternatives: [] });
  }
}

/**
 * Adds English words, without alternatives. Skips foreign function words that occur in English texts: "la", "und".
 * English texts hardly have words of the less searched languages, but many English words look like these: "man", "wake".
 */
function putEnglish(entries: Entries, { language, words }: { language: number; words: readonly string[] }): void {
  const all = readFunctionWords();
  const own = all.get('en');
  const quoted = LANGUAGES.slice(EMOJI + 1, FIRST_LESS_SEARCHED);
  const foreign = new Set(quoted.flatMap((code) => [...all.get(code)!]));
  for (const word of words) {
    if (PLAIN_WORD.test(word) && (own!.has(word) || !foreign.has(word))) {
      put(entries, word, { language, alternatives: [] });
    }
  }
}

/** Returns whether the English term is different. It is for "hola", but not for "pizza". */
function isForeign({ term, language, alternatives }: OwnTerm): boolean {
  return language !== 'en' && alternatives.every(({ phrase }) => stemmed(phrase) !== stemmed(term));
}

/**
 * Returns whether a term is a function word. Function words mean little in a longer query, even if they mean something
 * alone: "no" in "no me importa".
 */
function isFunctionWord(entries: Entries, term: string, language: number): boolean {
  return language !== ENGLISH && alternativesIn(entries, term, language)?.length === 0;
}

/**
 * Returns our own meanings of a term. If CLDR's translation is trusted, it comes first, because the words in one row of
 * our tables have similar, but not exactly equal meanings, and a row can be about another sense of the term.
 */
function withNames(term: string, own: readonly Alternative[], cldr: readonly Alternative[]): readonly Alternative[] {
  const ours = new Set(own.map(({ phrase }) => stemmed(phrase)));
  const known = cldr.find(({ phrase, weight }) => weight >= LIKELY_NAME && ours.has(stemmed(phrase)));
  const name = known ?? cldr.find(({ weight }) => weight >= SURE_NAME);
  if (name === undefined) return own;
  const isThing = !SEVERAL_WORDS.test(term) && isPartOf(name.phrase, own[0]!.phrase);
  if (isLonger(own[0]!.phrase, name.phrase) && !isThing) return own;
  const others = own.map(({ phrase, weight }) => ({ phrase, weight: Math.min(weight, AFTER_NAME) }));
  return distinct([{ phrase: name.phrase, weight: 1 }, ...others]);
}

function isLonger(phrase: string, name: string): boolean {
  return phrase.split(' ').length > name.split(' ').length;
}

/**
 * Returns whether a name is one of a phrase's words. If our row lists a word together with phrases ("crack an egg"),
 * the word still means the thing itself first.
 */
function isPartOf(name: string, phrase: string): boolean {
  return stemmed(phrase).split(' ').includes(stemmed(name));
}

/**
 * Adds terms in their own spelling, with accents. If several spellings differ only in their accents, each has its own
 * meanings.
 */
function putAccented(entries: Entries, terms: readonly OwnTerm[], numbers: ReadonlyMap<string, number>): void {
  const spellings = new Map<string, number>();
  const keyOf = ({ term, language }: OwnTerm) => `${language} ${term}`;
  const accented = terms.filter((each) => each.accented !== undefined);
  for (const each of accented) spellings.set(keyOf(each), (spellings.get(keyOf(each)) ?? 0) + 1);
  for (const each of accented) {
    const language = numbers.get(each.language)!;
    if (isFunctionWord(entries, each.term, language)) continue;
    const all = alternativesIn(entries, each.term, language) ?? each.alternatives;
    const alternatives = spellings.get(keyOf(each))! > 1 ? each.alternatives : all;
    put(entries, accentedKey(each.accented!), { language, alternatives });
  }
}

/** Adds plainer words for English words. */
function putPlainer(entries: Entries): void {
  for (const [term, alternatives] of readThesaurus()) {
    putEntry(entries, plainerKey(term), { language: ENGLISH, alternatives });
  }
}

/** Adds the very rare English words that have no other entry. */
function putSpellings(entries: Entries, words: readonly string[]): void {
  for (const word of words) {
    const isKnown = entries.get(word)?.some(({ language }) => language === ENGLISH || language === RARE_ENGLISH);
    if (isKnown || word.length < SHORTEST_SPELLING || !PLAIN_WORD.test(word)) continue;
    putEntry(entries, spellingKey(word), { language: ENGLISH, alternatives: [] });
  }
}

const stems = new Map<string, string>();

function stemmed(phrase: string): string {
  const known = stems.get(phrase) ?? phrase.split(' ').map(stem).join(' ');
  stems.set(phrase, known);
  return known;
}

/** Adds the stems of terms with a meaning. */
function putStems(entries: Entries): void {
  for (const { key, language } of stemKeysOf(entries)) putEntry(entries, key, { language, alternatives: [] });
}

function alternativesIn(entries: Entries, term: string, language: number): readonly Alternative[] | undefined {
  return entries.get(term)?.find((each) => each.language === language)?.alternatives;
}

function put(entries: Entries, term: string, entry: Entry): void {
  if (term.length === 0 || term.length > MAX_TERM_LENGTH || term.split(' ').length > MAX_WORDS) return;
  putEntry(entries, term, entry);
}

function putEntry(entries: Entries, key: string, entry: Entry): void {
  const all = entries.get(key);
  if (all === undefined) {
    entries.set(key, [entry]);
    return;
  }
  const at = all.findIndex(({ language }) => language === entry.language);
  if (at < 0) all.push(entry);
  else all[at] = entry;
}

function sortEntries(entries: Entries): void {
  for (const each of entries.values()) if (each.length > 1) each.sort((a, b) => a.language - b.language);
}
