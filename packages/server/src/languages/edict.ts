import { enumerated, Meanings, type SourceDictionary, withoutArticle } from './meanings.ts';

/** Matches words, their reading, and meanings between slashes: `雨 [あめ] /(n) rain/(P)/`. */
const EDICT_LINE = /^(\S+)(?: \[([^\]]*)\])? \/(.*)\/$/;
/**
 * Matches a word in traditional and in simplified characters, its pinyin, and meanings. For example:
 * `愛 爱 [ai4] /to love/affection/`
 */
const CEDICT_LINE = /^(\S+) (\S+) \[[^\]]*\] \/(.*)\/$/;
/** Matches glosses that are not meanings: classifiers, references to other entries, and names. */
const NOT_A_MEANING = /^(?:CL:|EntL|see |variant of |old variant |surname |abbr\. )/;
/** Matches the mark of words that are in common use. */
const COMMON = /\(P\)/;
const CEDICT_LICENCE = /^#! license=(.*)$/m;
const LATER = 100;
/** Matches the start of EDICT's first line. This line contains no word, but names the dictionary and its owner. */
const ABOUT = /^\s*？+/;

/** Returns whether a text is CC-CEDICT, which is a Chinese dictionary. */
export function isCedict(text: string): boolean {
  return CEDICT_LINE.test(firstEntry(text));
}

/** Returns whether a text is EDICT or EDICT2, which are Japanese dictionaries. */
export function isEdict(text: string): boolean {
  return EDICT_LINE.test(firstEntry(text)) && !isCedict(text);
}

function firstEntry(text: string): string {
  const start = text.slice(0, 10_000).split(/\r?\n/);
  return start.find((line) => line !== '' && !line.startsWith('#') && !ABOUT.test(line)) ?? '';
}

export function readCedict(text: string): SourceDictionary {
  const meanings = new Meanings();
  for (const line of text.split(/\r?\n/)) {
    const [, traditional, simplified, glosses = ''] = CEDICT_LINE.exec(line) ?? [];
    if (traditional !== undefined) addAll(meanings, { terms: [traditional, simplified!], glosses, first: 0 });
  }
  const licence = CEDICT_LICENCE.exec(text)?.[1] ?? null;
  return { name: 'cc-cedict', language: 'zh', title: 'CC-CEDICT', licence, meanings: meanings.sorted() };
}

export function readEdict(text: string): SourceDictionary {
  const meanings = new Meanings();
  const lines = text.split(/\r?\n/);
  for (const line of lines) {
    const [, words, readings = '', glosses = ''] = EDICT_LINE.exec(line) ?? [];
    if (words === undefined || ABOUT.test(line)) continue;
    // If several words have the same spelling, the common word comes first.
    const first = COMMON.test(glosses) ? 0 : LATER;
    const terms = `${words};${readings}`.split(';').map((term) => term.replace(/\([^)]*\)/g, ''));
    addAll(meanings, { terms, glosses, first });
  }
  const licence = ABOUT.test(lines[0]!) ? lines[0]!.replace(ABOUT, '').replaceAll('/', ' ').trim() : null;
  return { name: 'edict', language: 'ja', title: 'EDICT', licence, meanings: meanings.sorted() };
}

function addAll(
  meanings: Meanings,
  { terms, glosses, first }: { terms: readonly string[]; glosses: string; first: number },
): void {
  for (const [rank, meant] of meantBy(glosses).entries())
    for (const term of new Set(terms)) if (term !== '') meanings.add(term, meant, first + rank);
}

function meantBy(glosses: string): string[] {
  return glosses
    .split('/')
    .filter((gloss) => !NOT_A_MEANING.test(gloss))
    .flatMap((gloss) => enumerated(gloss))
    .map(withoutArticle);
}
