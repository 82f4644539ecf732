import { pinyin } from 'pinyin-pro';
import { toRomaji } from 'wanakana';

/** Another spelling of a language, which a rule makes from the usual one. */
interface Spelling {
  /** The code of the spelling: the language, or the language and a script (`LANGUAGES`). */
  code: string;
  /** Returns the spellings of a term, or an empty array if the rule does not apply. */
  spell(term: string): readonly string[];
}

/** Romanised words with fewer letters are too often words of other languages. */
const SHORTEST = 3;
/** Maximum number of words of a term that is looked up. */
const MOST_WORDS = 4;
const HAN_ONLY = /^\p{sc=Han}+$/u;
const KANA_ONLY = /^[\p{sc=Hira}\p{sc=Kana}ー]+$/u;

/** Serbian Cyrillic for Latin letters, by the orthography of Matica srpska. Pairs of letters come first. */
const SERBIAN =
  'lj љ nj њ dž џ a а b б c ц č ч ć ћ d д đ ђ e е f ф g г h х i и j ј k к l л m м n н o о p п r р s с š ш t т u у v в z з ž ж';
/** The letters that people type for Cyrillic ones, mostly those of BGN/PCGN. A second letter is typed as often. */
const RUSSIAN = `а a б b в v г g д d е e ж zh з z и i й y|j к k л l м m н n о o п p р r с s т t у u ф f х h|kh ц c|ts ч ch
  ш sh щ sch|sh ъ - ы y|i ь - э e ю yu|u я ya|ia`;
const UKRAINIAN = `а a б b в v г h|g ґ g д d е e є ye|ie ж zh з z и y і i ї yi|i й y|i к k л l м m н n о o п p р r с s т t у u ф f
  х kh|h ц ts|c ч ch ш sh щ shch|sch ь - ю yu|iu я ya|ia`;
/** The official system, and the digits that people type for ч and ш. */
const BULGARIAN = `а a б b в v г g д d е e ж zh|j з z и i й y|i к k л l м m н n о o п p р r с s т t у u ф f х h ц ts|c ч ch|4 ш sh|6
  щ sht|6t ъ a|u ь y ю yu|iu я ya|q`;
const GREEK = `ου ou αυ av|au ευ ef|eu μπ b|mp ντ d|nt α a β v|b γ g δ d ε e ζ z η i|h θ th|8 ι i κ k λ l μ m ν n ξ x|ks ο o π p ρ r
  σ s ς s τ t υ y|u φ f χ h|x ψ ps ω o|w`;

/** Consonants of Devanagari, with the letters that people type for them, mostly those of ISO 15919 without its signs. */
const DEVANAGARI = `क k ख kh ग g घ gh ङ n च ch छ chh|ch ज j झ jh ञ n ट t ठ th ड d ढ dh ण n त t थ th द d ध dh न n प p फ ph|f ब b भ bh म m
  य y र r ल l व v|w श sh ष sh स s ह h ळ l क़ q ख़ kh ग़ gh ज़ z ड़ d|r ढ़ dh फ़ f`;
const VOWELS = 'अ a आ aa|a इ i ई ee|i उ u ऊ oo|u ऋ ri ए e ऐ ai ओ o औ au';
const VOWEL_SIGNS = 'ा aa|a ि i ी ee|i ु u ू oo|u ृ ri े e ै ai ो o ौ au';

/**
 * The spellings that are made by rule, keyed by the language of the column. A term gets up to two of them: one with the
 * first choice for each letter, and one with the second.
 */
export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  hr: { code: 'sr', spell: byLetters(SERBIAN) },
  ru: { code: 'ru-Latn', spell: romanised(RUSSIAN) },
  uk: { code: 'uk-Latn', spell: romanised(UKRAINIAN) },
  bg: { code: 'bg-Latn', spell: romanised(BULGARIAN) },
  el: { code: 'el-Latn', spell: romanised(GREEK) },
  zh: { code: 'zh-Latn', spell: pinyinOf },
  ja: { code: 'ja-Latn', spell: romajiOf },
  hi: { code: 'hi-Latn', spell: hinglishOf },
};

function romanised(table: string): (term: string) => readonly string[] {
  const spell = byLetters(table);
  return (term) => spell(withoutAccents(term)).filter((spelling) => spelling.length >= SHORTEST);
}

/** Removes accents, but not the one of "й", which is another letter than "и". */
function withoutAccents(term: string): string {
  return term.replace(/[^й ]/gu, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** Returns a function that replaces letters. It returns nothing for a term with a letter that is not in the table. */
function byLetters(table: string): (term: string) => readonly string[] {
  const words = table.split(/\s+/);
  const letters = new Map<string, readonly string[]>();
  for (let i = 0; i < words.length; i += 2) letters.set(words[i]!, words[i + 1]!.split('|'));
  const pattern = new RegExp(`${[...letters.keys()].join('|')}|[^ ]`, 'gu');
  return (term) => {
    if ((term.match(pattern) ?? []).some((letter) => !letters.has(letter))) return [];
    const respelled = (choice: number) =>
      term.replace(pattern, (letter) => (letters.get(letter)![choice] ?? letters.get(letter)![0]!).replace('-', ''));
    return [...new Set([respelled(0), respelled(1)])];
  };
}

/**
 * Returns the pinyin of a Chinese term without tones. Up to three syllables have every combination of blanks; four have
 * no blanks, blanks between all syllables, or one in the middle.
 */
function pinyinOf(term: string): readonly string[] {
  if (!HAN_ONLY.test(term)) return [];
  const syllables = pinyin(term, { toneType: 'none', type: 'array', v: true });
  const cuts = syllables.length < MOST_WORDS ? 1 << (syllables.length - 1) : 1;
  const spellings = Array.from({ length: cuts }, (_, cut) =>
    syllables.map((syllable, i) => ((cut >> i) & 1 && i < syllables.length - 1 ? `${syllable} ` : syllable)).join(''),
  );
  if (syllables.length === MOST_WORDS) {
    spellings.push(syllables.join(' '), `${syllables.slice(0, 2).join('')} ${syllables.slice(2).join('')}`);
  }
  return spellings.filter((spelling) => spelling.length >= SHORTEST);
}

const CONSONANT_OF = pairsOf(DEVANAGARI);
const VOWEL_OF = pairsOf(VOWELS);
const SIGN_OF = pairsOf(VOWEL_SIGNS);
/** A consonant with its sign or virama, a vowel, a nasal, or another character. */
const AKSHARA = /([\u0915-\u0939]\u093C?)([\u093E-\u094C]?)(\u094D?)|([\u0905-\u0914])|([\u0901\u0902])|./gu;

function pairsOf(table: string): ReadonlyMap<string, readonly string[]> {
  const words = table.normalize('NFD').split(/\s+/);
  return new Map(Array.from({ length: words.length / 2 }, (_, i) => [words[2 * i]!, words[2 * i + 1]!.split('|')]));
}

/**
 * Returns Hindi in Latin letters: once with long vowels written twice ("pyaar"), once without ("pyar"). At the end of a
 * word, people write one letter ("ladka").
 */
function hinglishOf(term: string): readonly string[] {
  const text = term.normalize('NFD');
  const spellings = [0, 1].map((choice) => text.split(' ').map((word) => hinglishWord(word, choice)));
  if (spellings.flat().includes(undefined)) return [];
  return [...new Set(spellings.map((words) => words.join(' ')))].filter((spelling) => spelling.length >= SHORTEST);
}

/** A consonant and the vowel after it, in Latin letters. `inherent` says that the vowel is not written in Hindi. */
interface Akshara {
  consonant: string;
  vowel: string;
  inherent: boolean;
}

function hinglishWord(word: string, choice: number): string | undefined {
  const parts = Array.from(word.matchAll(AKSHARA), (match) => aksharaOf(match, choice));
  if (parts.includes(undefined)) return undefined;
  const spelling = withoutSilent(parts as Akshara[]).map(({ consonant, vowel }) => consonant + vowel);
  return spelling.join('').replace(/aa$/, 'a').replace(/ee$/, 'i');
}

function aksharaOf(
  [, letter, sign = '', virama = '', vowel, nasal]: RegExpMatchArray,
  choice: number,
): Akshara | undefined {
  const pick = (letters: readonly string[] | undefined) => letters?.[choice] ?? letters?.[0] ?? '';
  if (nasal !== undefined) return { consonant: 'n', vowel: '', inherent: false };
  if (vowel !== undefined) return { consonant: '', vowel: pick(VOWEL_OF.get(vowel)), inherent: false };
  if (letter === undefined) return undefined;
  const consonant = pick(CONSONANT_OF.get(letter) ?? CONSONANT_OF.get(letter[0]!));
  if (sign !== '') return { consonant, vowel: pick(SIGN_OF.get(sign)), inherent: false };
  return { consonant, vowel: virama === '' ? 'a' : '', inherent: virama === '' };
}

/**
 * Removes the vowels that are not spoken: an inherent vowel at the end of a word, and one between a vowel and a
 * consonant with a vowel (लड़का is "ladka"). Source: Ohala, "Aspects of Hindi Phonology", 1983.
 */
function withoutSilent(parts: Akshara[]): Akshara[] {
  const last = parts.length - 1;
  if (last > 0 && parts[last]!.inherent) parts[last]!.vowel = '';
  for (let i = last - 1; i > 0; i--) {
    const [before, part, after] = parts.slice(i - 1) as [Akshara, Akshara, Akshara];
    if (part.inherent && before.vowel !== '' && after.vowel !== '' && after.consonant !== '') part.vowel = '';
  }
  return parts;
}

function romajiOf(term: string): readonly string[] {
  if (!KANA_ONLY.test(term)) return [];
  const spelling = toRomaji(term).replaceAll('-', '');
  return spelling.length >= SHORTEST ? [spelling] : [];
}
