import { analyse } from '../analysis/analyse.ts';
import { calmed } from '../analysis/drawn-out.ts';
import { withEmoji } from '../analysis/emoticons.ts';
import { FUNCTION_WORDS } from '../analysis/function-words.ts';
import { MAX_JOINED } from '../analysis/joined.ts';
import { isAscii } from '../analysis/normalise.ts';
import { askedTerms } from '../analysis/offensive.ts';
import { stem } from '../analysis/stem.ts';
import { variantsOf } from '../analysis/variants.ts';
import { LANGUAGES } from '../languages/format.ts';
import type { Interpretation, Languages } from '../languages/languages.ts';
import type { Meaning } from '../languages/meaning.ts';
import { countBits } from '../postings/frequent.ts';
import { joinedTerm } from '../postings/joined-words.ts';
import { phraseTerm, quotedPhrases } from '../postings/phrases.ts';
import { MAX_COVERED } from './candidates.ts';
import {
  alsoCoveredBy,
  countedTwice,
  leastWordsOf,
  NOTHING_NAMED,
  namedShareOf,
  namesAmong,
  namesBeside,
  readNames,
  seriesOf,
} from './names.ts';

/** One term that a query looks for, and its weight. */
export interface TermRequest {
  term: string;
  /**
   * The term whose rarity determines the weight. It can be another term, because a rarely used form of a word is not
   * more relevant.
   */
  rarity: string;
  /** The term never counts as rarer than the rarest of these terms. */
  ceiling?: readonly string[];
  /** This term's share of the weight that `rarity` determines. */
  share: number;
  /**
   * The words of the query that this term helps. The term is needed only if fewer than `below` documents have one of
   * these words.
   */
  helps?: { words: string; below: number };
  /**
   * Other words of the name that this term is a part of. If no document has any of them, the term is needed only if it
   * is a frequent word: few of the GIFs with "impact" are about "genshin impact".
   */
  partOf?: readonly string[] | undefined;
  /** The words of the series after this part of a name. If no document has the series, the term is not needed. */
  series?: readonly string[] | undefined;
  /**
   * The words of the query that a document with this term matches, as one bit per word, or 0 if coverage does not
   * count.
   */
  covers: number;
}

/** Such a word says nothing beside a name: "portgas d. ace". In Hindi in Latin letters, it is a particle: "phone pe baat". */
const SHORT_WORD = /^\p{L}{1,2}$/u;

/** A number says little without the words beside it: few of the GIFs with "5" are about "persona 5". */
const NUMBER = /^(?:\p{N}+(?:st|nd|rd|th)?|[ivx]{2,})$/u;

/**
 * Share of the weight of an inflected word that only documents with exactly this form get. Documents with any form of
 * the word get the rest.
 */
const EXACT_SHARE = 0.2;
/**
 * If a translation is a plural, its exact form gets this share of the weight. It is higher because a plural can mean
 * something else: glasses are not glass. Other translated words, such as verbs, match in any form, and the plural of a keyword of
 * an emoji is like a typed plural. (With the higher share for keywords, reactions to emoji found .508 instead of .528.)
 */
const MEANT_PLURAL_SHARE = 0.5;

/**
 * Weight of a function word relative to other words. Recall@10 of captions and paraphrased titles was best from 0.2 to
 * 0.4. With 0, the recall of captions was a twentieth lower (development sets of `npm run eval`, 2026-11).
 */
const FUNCTION_SHARE = 0.3;

/**
 * Weight of two neighbouring words as a phrase, in a short query. Most names gain little from the phrase, because their
 * words are rare. But "the office" is not any office. Recall@10 of other people's titles was .643 with 0, .639 with
 * 0.2, and .625 with 0.5 if queries of any length had phrases with function words (development sets of `npm run eval`,
 * 2026-11).
 */
const PHRASE_SHARE = 0.2;
/**
 * Maximum number of words in a query in which a function word and its neighbour can be a name. In a longer query, the
 * two words are part of a sentence.
 */
const MAX_WORDS_OF_NAME = 3;
/**
 * Weight of a two-word translation as a phrase. With this weight, queries for things in other languages find .936
 * instead of .928.
 */
const MEANT_PHRASE_SHARE = 0.7;
/**
 * Weight of the phrase if the two-word translation is not the best translation. It is lower, so that other translations
 * do not outweigh the best one: *Fliege* means a fly more often than a bow tie. With .7, queries for things in other
 * languages found .942 instead of .943. With 0, queries for everyday phrases found .904 instead of .907.
 */
const OTHER_PHRASE_SHARE = 0.3;
/** The key of the quoted phrase among the words that coverage counts. A quotation mark is never a word. */
const QUOTE = '"';
/** The key of a query that is a phrase as a whole. */
const WHOLE = '…';
/** Words that can stand before any word, so they form no phrase with it. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an']);
/** Words that reverse the meaning of the next word: "not bad" is not about anything bad. */
const NEGATIONS: ReadonlySet<string> = new Set(['cant', 'dont', 'never', 'no', 'not']);
/** Weight of two neighbouring words of a title for a query that writes them as one: "face palm" for "facepalm". */
const APART_SHARE = 0.5;

/** Weight of "yes" for "yesss", or of "amour" for "l'amour". GIFs with the form that the query has come first. */
const VARIANT_SHARE = 0.9;

/** Maximum number of words, from the start of the query, that are joined. It limits the number of look-ups. */
const MAX_WORDS_JOINED = 16;

/**
 * A word or phrase in this number of documents fills a result list, so no plainer words are needed. Source: `MAX_HITS`.
 */
const FULL_LIST = 200;
/** Minimum number of words of a sentence. */
const SENTENCE = 4;
/** Minimum weight of a plainer word with the same meaning. */
const SAME_MEANING = 0.75;
/** Weight of plainer words in a sentence, relative to their weight in a short query. */
const SENTENCE_SHARE = 0.5;
/**
 * An English word in this number of documents fills a page of results, so its meaning in another language is not
 * needed.
 */
const PAGE = 24;

/** Weight of a word of another language that is also an English word: in "chat mignon", "chat" does not mean a talk. */
const FALSE_FRIEND_SHARE = 0.4;

/** The result of reading a query without a table of languages. */
const NOTHING_READ: Interpretation = {
  meanings: [],
  others: [],
  plainer: [],
  homograph: [],
  language: 0,
  falseFriends: new Set(),
  functionWords: new Set(),
};

/** Weight of English translations relative to the user's own words or emoji. */
const MEANT_SHARE = 0.7;

/**
 * Phrase weights are raised to these powers, so that several weak phrases do not outweigh the best one. With 6 instead
 * of 3, emoji find .555 instead of .530 of the GIFs of reactions, and .956 instead of .954 of the GIFs of things. With
 * 5 instead of 3, other queries found .908 instead of .910 of the GIFs of everyday phrases (development sets of `npm
 * run eval`, 2026-11).
 */
const MEANT_POWER = 3;
const EMOJI_POWER = 6;

/** A query as terms and their kinds. */
export interface ReadQuery {
  /** Distinct terms, in no particular order. */
  wanted: TermRequest[];
  /** Number of words that coverage counts. */
  words: number;
  /** Whether any part was translated. */
  translated: boolean;
  /** Whether the query is probably a name. */
  isName: boolean;
  /** Minimum number of words that a GIF with this name must match. */
  least: number;
  /** The words that are probably names. Empty for a query that may be a title: it is long or has function words. */
  names: string[];
  /** The other words of a query that is not a title. */
  others: string[];
  /** Whether the query is not a title and has two words that coverage counts. */
  isPair: boolean;
  /** The terms of possible offensive words. */
  asked: string[];
}

/**
 * Returns the requests of a normalised query.
 * @param preferred number of the user's language (`languageOf`)
 */
export function readTermRequests(typed: string, languages: Languages | undefined, preferred?: number): ReadQuery {
  const query = withEmoji(typed);
  const all = analyse(query);
  const words = [...new Set(all)];
  const { meanings, others, plainer, homograph, ...read } = languages?.read(query, preferred) ?? NOTHING_READ;
  const isFunctionWord = (word: string) => FUNCTION_WORDS.has(word) || read.functionWords.has(word);
  const content = words.filter((word) => !isFunctionWord(word));
  const named = meanings.length > 0 ? NOTHING_NAMED : readNames(query, languages);
  const most = (content.length > 0 ? content : words).filter((word) => !named.kind.includes(word));
  const counting = tellingWords(most, meanings.length > 0);
  const quoted = quotedPhrases(query);
  const isWhole = quoted.length === 0 && isPhrase(all, content);
  const names = meanings.length > 0 ? [] : namesAmong(counting, languages);
  const bits = bitsOf(counting, countedTwice(names, named), quoted.length > 0 ? QUOTE : isWhole ? WHOLE : undefined);
  const variants = variantsOf(query);
  const understood = new Set(meanings.map(({ text }) => text));
  const forms = words.flatMap((word) => {
    const whole = isFunctionWord(word) && content.length > 0 ? FUNCTION_SHARE : 1;
    const weak = read.falseFriends.has(word) ? Math.min(whole, FALSE_FRIEND_SHARE) : whole;
    const share = weak * namedShareOf(word, named);
    const forms = [
      ...calmedForms(word, languages).map((form) => ({ form, share: VARIANT_SHARE * share })),
      // "maedchen" can only mean "mädchen", but "madchen" could be another word.
      ...(variants.get(word) ?? [])
        // The table has "d'accord" as a whole, and "accord" has another meaning in English.
        .filter((form) => !(understood.has(word) && word.endsWith(form) && languages?.isEnglish(form)))
        .map((form) => ({ form, share: VARIANT_SHARE * whole })),
    ];
    const covers = coverOf([word, alsoCoveredBy(word, named) ?? word].map((each) => bits.get(each) ?? 0));
    const terms = wordTerms(word, { share, covers, forms });
    const ceiling = read.falseFriends.has(word) ? bestMeaningOf(word, meanings) : {};
    return terms.map((one) => ({
      ...one,
      partOf: namesBeside(word, named),
      series: seriesOf(word, named),
      ...ceiling,
    }));
  });
  const below = isAscii(query) ? leastWithoutMeaning(words, read, { languages, preferred }) : undefined;
  const meant = [...meanings, ...others].flatMap((meaning) =>
    below === undefined ? meantTerms(meaning, bits) : helpTerms(meaning, bits, below),
  );
  const helping = [
    ...plainer.map((meaning) => plainerTerms(meaning, bits, all.length)),
    ...homograph.map((meaning) => helpTerms(meaning, bits, PAGE)),
  ].flatMap((terms) => terms.map((one) => ({ ...one, partOf: namesBeside('', named) })));
  // A quoted phrase counts like one more word, so that documents with the phrase come first.
  const inQuotes = quoted.map((term) => ({ term, rarity: term, share: 1, covers: bits.get(QUOTE) ?? 0 }));
  const phrases = bits.size === 0 ? [] : [...phraseTerms(all, bits), ...inQuotes];
  const wanted = merged([...forms, ...joinedTerms(all, bits), ...phrases, ...meant, ...helping]);
  const counted = countBits(coverOf([...bits.values()])) - (isWhole ? 1 : 0);
  const translated = meanings.length > 0;
  const isName = bits.size > 1 && !translated && (named.series.length > 0 || names.length > counting.length / 2);
  const kind = { words: counted, translated, isName, least: leastWordsOf(named) };
  const isTitle = content.length < words.length;
  return { wanted, ...kind, ...partsOfName(counting, names, isTitle), asked: askedTerms(all) };
}

/**
 * Decides when a query in plain letters needs no meanings from another language. If at least the returned number of
 * documents have its words, the meanings are left out. Returns undefined if the meanings are always used.
 */
function leastWithoutMeaning(
  words: readonly string[],
  { language, falseFriends }: Pick<Interpretation, 'language' | 'falseFriends'>,
  { languages, preferred }: { languages: Languages | undefined; preferred: number | undefined },
): number | undefined {
  const word = words.length === 1 ? words[0]! : undefined;
  // A word in Latin letters has a meaning only by chance if GIFs have the word, and if it is from a language without a
  // column of our own ("kiki"), or only looks like a form of another word ("elena" is not Finnish).
  const isForm = word !== undefined && languages?.isTerm(word) === false;
  if (language >= LANGUAGES.length || isForm) return 1;
  // Many GIFs with a word that is also English are a reason to read it as English: "eve" is also Turkish for home.
  return word !== undefined && falseFriends.has(word) && language !== preferred ? PAGE : undefined;
}

/** Returns a short query's words without numbers, unless it has nothing else, or is translated. */
function tellingWords(words: readonly string[], translated: boolean): readonly string[] {
  const telling = words.filter((word) => !NUMBER.test(word));
  return translated || words.length > MAX_WORDS_OF_NAME || telling.length === 0 ? words : telling;
}

/** Divides the words of a query, unless it may be a title. */
function partsOfName(
  words: readonly string[],
  names: readonly string[],
  isTitle: boolean,
): Pick<ReadQuery, 'names' | 'others' | 'isPair'> {
  if (isTitle || words.length > MAX_COVERED) return { names: [], others: [], isPair: false };
  return {
    isPair: words.length === 2,
    names: words.filter((word) => names.includes(word)),
    others: words.filter((word) => !names.includes(word) && !SHORT_WORD.test(word)),
  };
}

/**
 * Returns the ceiling of a word that only looks English: "mắt" means the eye. It never counts as rarer than its best
 * meaning, because few GIFs have a mat, and many have an eye.
 */
function bestMeaningOf(word: string, meanings: readonly Meaning[]): Pick<TermRequest, 'ceiling'> {
  const meaning = meanings.find(({ text }) => analyse(text).includes(word));
  return meaning === undefined ? {} : { ceiling: wordsOf(meaning.phrases[0]!.phrase).map(stem) };
}

/**
 * Returns whether a query is a word with a function word that belongs to it: "the office", "thumbs down", "no way". For
 * such a query, GIFs with the phrase or a synonym of the phrase come before GIFs that have only the word.
 */
function isPhrase(all: readonly string[], content: readonly string[]): boolean {
  return all.length === 2 && content.length === 1 && !ARTICLES.has(all[0]!);
}

/**
 * Returns a bit for each word that coverage counts, and one bit for the phrase with this key if there is room. If there
 * is more room, a name beside other words has two bits: GIFs of Kannagi are nearer to "kannagi singing" than GIFs of
 * other singers. Returns no bits for a long query.
 */
function bitsOf(
  counting: readonly string[],
  names: readonly string[],
  phrase: string | undefined,
): ReadonlyMap<string, number> {
  if (counting.length > MAX_COVERED) return new Map();
  const counted = phrase === undefined ? counting : [...counting, phrase].slice(0, MAX_COVERED);
  // With MAX_COVERED bits, the query would be ranked like a sentence.
  const isTwice = names.length < counting.length && counted.length + names.length < MAX_COVERED;
  const bits = counted.map((word, i): [string, number] => {
    const second = isTwice && names.includes(word) ? 1 << (counted.length + names.indexOf(word)) : 0;
    return [word, (1 << i) | second];
  });
  return new Map(bits);
}

/**
 * Returns neighbouring words as phrases. Coverage does not count these phrases, because it counts their words. It
 * counts a phrase only if the phrase is the whole query.
 */
function phraseTerms(words: readonly string[], bits: ReadonlyMap<string, number>): TermRequest[] {
  return words.slice(1).flatMap((word, i) => {
    const pair = [words[i]!, word];
    if (words.length > MAX_WORDS_OF_NAME && pair.some((each) => FUNCTION_WORDS.has(each))) return [];
    const term = phraseTerm(words[i]!, word);
    return [{ term, rarity: term, share: PHRASE_SHARE, covers: bits.get(WHOLE) ?? 0 }];
  });
}

/** Returns the terms for a word and for other forms of the word. */
function wordTerms(
  word: string,
  { share, covers, forms }: { share: number; covers: number; forms: readonly { form: string; share: number }[] },
): TermRequest[] {
  const exactly = EXACT_SHARE;
  const apart = { term: joinedTerm(word), rarity: word, share: APART_SHARE * share, covers };
  const others = forms.flatMap(({ form, share }) => formsOf(form, { share, covers, exactly }));
  return [...formsOf(word, { share, covers, exactly }), apart, ...others];
}

/** Returns the word and its base form. A document with any form of the word has the base form. */
function formsOf(
  word: string,
  { share, covers, exactly }: { share: number; covers: number; exactly: number },
): TermRequest[] {
  const base = stem(word);
  if (base === word) return [{ term: word, rarity: word, share, covers }];
  return [
    { term: base, rarity: base, share: (1 - exactly) * share, covers },
    { term: word, rarity: base, share: exactly * share, covers: 0 },
  ];
}

/** Returns the words that a drawn-out word probably stands for: "cool" for "cooool", because "col" is not English. */
function calmedForms(word: string, languages: Languages | undefined): string[] {
  const forms = calmed(word);
  const english = forms.filter((form) => languages?.isEnglish(form));
  return english.length > 0 ? english : forms;
}

/** Returns neighbouring words joined: `high five` also finds the tags `high five` and `highfive`. */
function joinedTerms(words: readonly string[], bits: ReadonlyMap<string, number>): TermRequest[] {
  const some = words.slice(0, MAX_WORDS_JOINED);
  return some.flatMap((_, from) => {
    const most = Math.min(MAX_JOINED, some.length - from);
    return Array.from({ length: Math.max(0, most - 1) }, (_, i) => {
      const parts = some.slice(from, from + i + 2);
      const term = parts.join('');
      return { term, rarity: term, share: 1, covers: coverOf([WHOLE, ...parts].map((key) => bits.get(key) ?? 0)) };
    });
  });
}

/**
 * Returns the terms for the English meanings of a part of the query. Together, the words of a phrase cover the query
 * words that the phrase translates. No phrase counts as rarer than the best phrase, because all phrases have the same
 * meaning, and a rare phrase is not better.
 */
function meantTerms({ kind, text, phrases }: Meaning, bits: ReadonlyMap<string, number>): TermRequest[] {
  const own = [...new Set(analyse(text))];
  const covered = own.map((word) => bits.get(word) ?? 0);
  if (own.length > 1 && bits.has(WHOLE)) covered.push(bits.get(WHOLE)!);
  const ceiling = wordsOf(phrases[0]!.phrase).map(stem);
  const meant = phrases.flatMap(({ phrase, weight }) => {
    const all = analyse(phrase);
    const words = wordsOf(phrase);
    const share = MEANT_SHARE * weight ** (kind === 'emoji' ? EMOJI_POWER : MEANT_POWER);
    const isOne = isInseparable(all);
    const isBest = phrase === phrases[0]!.phrase;
    const [first, second] = isOne ? all : words;
    // A broken heart is no reason to show every broken thing.
    const isWhole = kind === 'emoji' && second !== undefined;
    const forms = (isOne ? [] : words).flatMap((word, i) => {
      const covers = words.length < covered.length ? coverOf(covered) : covered[i % covered.length]!;
      return formsOf(word, {
        share: share / words.length,
        covers: isWhole ? 0 : covers,
        exactly: exactShareOf(word, kind, isBest),
      });
    });
    if (second === undefined) return forms;
    const joined = (isOne ? all : words).join('');
    const whole = { term: joined, rarity: joined, share, covers: coverOf(covered) };
    // Function words were left out, so the other words might not be neighbours.
    if (all.length > 2) return [...forms, whole];
    const apart = phraseTerm(first!, second);
    const apartShare = isBest ? MEANT_PHRASE_SHARE : OTHER_PHRASE_SHARE;
    return [...forms, whole, { ...whole, term: apart, rarity: apart, share: apartShare * share }];
  });
  return meant.map((one) => ({ ...one, ceiling }));
}

/** Returns the share of exactly this form of a translated word. @param isBest whether it is from the best phrase */
function exactShareOf(word: string, kind: Meaning['kind'], isBest: boolean): number {
  if (!word.endsWith('s')) return 0;
  return kind === 'words' || isBest ? MEANT_PLURAL_SHARE : EXACT_SHARE;
}

/**
 * Returns whether a phrase has two words, one of which means something else when it is alone: "not bad", "thumbs down".
 */
function isInseparable([first, second, ...others]: readonly string[]): boolean {
  if (second === undefined || others.length > 0) return false;
  const isPlural = first!.endsWith('s') && stem(first!) !== first;
  return NEGATIONS.has(first!) || (isPlural && FUNCTION_WORDS.has(second));
}

/**
 * Returns the terms for plainer words. Few GIFs match all words of a sentence, so plainer words always help there, but
 * only words with the same meaning: with related words, the share of captions found fell by .006.
 */
function plainerTerms(meaning: Meaning, bits: ReadonlyMap<string, number>, words: number): TermRequest[] {
  if (words < SENTENCE) return helpTerms(meaning, bits, FULL_LIST);
  const phrases = meaning.phrases.filter(({ weight }) => weight >= SAME_MEANING);
  if (phrases.length === 0) return [];
  return meantTerms({ ...meaning, phrases }, bits).map((one) => ({ ...one, share: SENTENCE_SHARE * one.share }));
}

/** Returns the terms for a meaning. They are needed only if few documents have the query's words. */
function helpTerms(meaning: Meaning, bits: ReadonlyMap<string, number>, below: number): TermRequest[] {
  return meantTerms(meaning, bits).map((one) => ({ ...one, helps: { words: meaning.text, below } }));
}

function wordsOf(phrase: string): string[] {
  const words = analyse(phrase);
  const content = words.filter((word) => !FUNCTION_WORDS.has(word));
  return content.length > 0 ? content : words;
}

function coverOf(masks: readonly number[]): number {
  return masks.reduce((all, mask) => all | mask, 0);
}

/** Merges equal terms, with the highest weight of each. */
function merged(wanted: readonly TermRequest[]): TermRequest[] {
  const byTerm = new Map<string, TermRequest>();
  for (const one of wanted) {
    const other = byTerm.get(one.term) ?? one;
    byTerm.set(one.term, { ...other, share: Math.max(one.share, other.share), covers: one.covers | other.covers });
  }
  return [...byTerm.values()];
}
