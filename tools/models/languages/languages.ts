import {
  type Alternative,
  EMOJI,
  ENGLISH,
  type Entry,
  LANGUAGES,
  MAX_TERM_LENGTH,
  RARE_ENGLISH,
} from '../../../packages/search/src/languages/format.ts';
import { writeLanguages } from '../../../packages/search/src/languages/writer.ts';
import { readEnglishNames, readVocabularies } from './cldr.ts';
import { emojiAlternatives } from './emoji.ts';
import { readEnglishWords, readWordLists } from './english.ts';
import { readEmoji, readFunctionWords, readSlang } from './tables.ts';
import { createTranslator } from './translate.ts';

/** The longest n-gram that is looked up. */
const MAX_WORDS = 4;
const PLAIN_WORD = /^[a-z0-9]+$/;

type Entries = Map<string, Map<number, readonly Alternative[]>>;

/** The bytes of languages.bin: all terms of CLDR and of our own tables, put into English. */
export function makeLanguages(): Uint8Array {
  const vocabularies = readVocabularies();
  const numbers = numberLanguages(vocabularies.keys());
  const english = vocabularies.get('en')!;
  const frequencies = readEnglishWords();
  const translate = createTranslator(english, (word) => frequencies.get(word) ?? 0);
  const entries: Entries = new Map();
  for (const [language, vocabulary] of vocabularies) {
    if (language === 'en') continue;
    for (const [term, pictures] of vocabulary) {
      const alternatives = translate(pictures);
      if (alternatives.length > 0) put(entries, term, { language: numbers.get(language)!, alternatives });
    }
  }
  putEmoji(entries);
  putFunctionWords(entries, numbers);
  const { common, rare } = readWordLists();
  putEnglish(entries, { language: RARE_ENGLISH, words: rare });
  const slang = readSlang();
  const borrowed = new Set(slang.filter(({ language }) => language !== 'en').map(({ term }) => term));
  const own = [...english.keys()].filter((word) => !borrowed.has(word));
  putEnglish(entries, { language: ENGLISH, words: [...frequencies.keys(), ...own, ...common] });
  for (const { term, language, alternatives } of slang) {
    put(entries, term, { language: numbers.get(language)!, alternatives });
  }
  return writeLanguages(new Map(Array.from(entries, ([term, meanings]) => [term, entriesOf(meanings)])));
}

function numberLanguages(codes: Iterable<string>): Map<string, number> {
  const others = [...new Set(codes)].filter((code) => !LANGUAGES.includes(code)).sort();
  return new Map([...LANGUAGES, ...others].map((code, i) => [code, i]));
}

function putEmoji(entries: Entries): void {
  const own = readEmoji();
  for (const [emoji, alternatives] of emojiAlternatives(readEnglishNames(), own)) {
    put(entries, emoji, { language: EMOJI, alternatives });
  }
}

/** They replace what CLDR says: "on" is "we" in French and not the emoji 🔛. */
function putFunctionWords(entries: Entries, numbers: ReadonlyMap<string, number>): void {
  for (const [language, words] of readFunctionWords()) {
    for (const word of words) put(entries, word, { language: numbers.get(language)!, alternatives: [] });
  }
}

/** English words have no alternatives; "la" and "und" are among them only because they occur in English texts. */
function putEnglish(entries: Entries, { language, words }: { language: number; words: readonly string[] }): void {
  const { en: own, ...elsewhere } = Object.fromEntries(readFunctionWords());
  const foreign = new Set(Object.values(elsewhere).flatMap((each) => [...each]));
  for (const word of words) {
    if (PLAIN_WORD.test(word) && (own!.has(word) || !foreign.has(word))) {
      put(entries, word, { language, alternatives: [] });
    }
  }
}

function put(entries: Entries, term: string, { language, alternatives }: Entry): void {
  if (term.length === 0 || term.length > MAX_TERM_LENGTH || term.split(' ').length > MAX_WORDS) return;
  const meanings = entries.get(term) ?? new Map<number, readonly Alternative[]>();
  entries.set(term, meanings.set(language, alternatives));
}

function entriesOf(meanings: ReadonlyMap<number, readonly Alternative[]>): Entry[] {
  return Array.from(meanings, ([language, alternatives]) => ({ language, alternatives })).sort(
    (a, b) => a.language - b.language,
  );
}
