import { LANGUAGES } from './format.ts';

/** A possible base form of a typed word, and the languages in which it is one. */
export interface BaseForm {
  form: string;
  /** Undefined: in any language. */
  languages: ReadonlySet<number> | undefined;
}

/**
 * Endings (or, before a hyphen, beginnings) and their replacement in the base form: "os:o" turns gatos into gato. Only
 * frequent endings with little meaning of their own; from common grammars.
 */
const RULES: readonly (readonly [languages: string, rules: string])[] = [
  [
    'es',
    's: es: as:o os:o a:o ita:a ito:o itas:a itos:o itas:o ando:ar iendo:er iendo:ir ado:ar ada:ado adas:ado ados:ado',
  ],
  [
    'pt',
    's: es: as:o os:o a:o inha:a inho:o inhas:a inhos:o ando:ar endo:er indo:ir ado:ar ada:ado ais:al oes:ao aes:ao',
  ],
  ['fr', 's: x: e: es: ee:e ees:e ant:er e:er ons:er aux:al l-: d-: j-: m-: t-: s-: c-: n-: qu-:'],
  ['it', 'i:o i:e e:a a:o he:a hi:o ando:are endo:ere ino:o ina:a l-: d-: un-: dell-: all-: nell-:'],
  ['ro', 'ul: le: ei:a i: e:a a: uri: ului: lor:'],
  ['de', 'e: en: er: es: em: n: s: chen: te:en t:en ende:en end:en'],
  ['nl', 'e: en: s: je: jes: tje: t:en'],
  ['sv da no', 'en: et: er: ar: or:a n: e: a: s: erne: arna: ene: r:'],
  ['fi', 'n: t: a: ja: ssa: sta: lla: lle: et: at:a at: ta: en:i'],
  ['hu', 'k: t: ok: ek: ak: at: et: ot: ban: ben: nak: nek: val: vel: s: as: es:'],
  ['tr', 'lar: ler: lari: leri: i: u: li: lu: da: de: a: e: yi: yor: iyor:mek iyor:mak'],
  ['id', 'nya: lah: kan: an: ber-: me-: di-:'],
  ['pl', 'y: i: e: a: ow: ami: em: u: ie:a ki:ek ka:ek ek:a'],
  ['cs', 'y: i: e: a: u: em: ou:a ami:a ka:a ek:'],
  ['el', 'α:ο οι:οσ εσ:α α: οσ:ο οι: ου:οσ ια:ι'],
  ['hi', 'े:ा ों:ा ों: ें: ियां:ी ियाँ:ी ी:ा ँ:ं'],
  ['ar', 'ال-: وال-: بال-: لل-: و-: ب-: ل-: ك-: ات:ة ات: ة: ه:ة ين: ون: ي: ية:'],
  ['fa', 'ها: های: ی: ه:'],
  ['he', 'ה-: ב-: ל-: ו-: ש-: ים: ות:ה ות: ת:'],
  ['ko', '은: 는: 이: 가: 을: 를: 에: 의: 도: 로: 와: 과: 랑: 에서: 으로: 하다: 하는: 하기: 해: 해요: 했어: 한: 들:'],
];

/** A shorter rest would too easily be another word. */
const SHORTEST_REST = 3;
const SHORTEST_WORD = 5;
/** In these scripts, two letters are as specific as five in others. */
const DENSE = /^[\p{sc=Hangul}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Devanagari}]/u;
const SHORTEST_DENSE_REST = 2;
const CYRILLIC = /^\p{sc=Cyrillic}+$/u;
const SLAVIC_ENDINGS = ['', 'а', 'я', 'о', 'ь', 'ый', 'ий', 'ть', 'ить', 'ать', 'ие', 'ия', 'ина'];
const RUSSIAN_UKRAINIAN: ReadonlySet<number> = new Set(['ru', 'uk'].map((code) => LANGUAGES.indexOf(code)));
const DRAWN_OUT_LETTER = /(\p{L})\1{2,}/gu;
const REPEATED = /^((?:\p{L}{2}))\1{2,}\p{L}?$/u;

interface Rule {
  ending: string;
  replacement: string;
  languages: Set<number>;
}

const [PREFIXES, ENDINGS] = readRules();

/** Base forms to look up if a folded word is not found; the most likely first. */
export function baseForms(word: string): BaseForm[] {
  const forms: BaseForm[] = [];
  for (const form of calmed(word)) forms.push({ form, languages: undefined });
  if (CYRILLIC.test(word)) forms.push(...shortened(word));
  const dense = DENSE.test(word);
  const shortest = dense ? SHORTEST_DENSE_REST : SHORTEST_REST;
  if (!dense && word.length < SHORTEST_WORD) return forms;
  for (let length = 4; length > 0; length--) {
    const rest = word.length - length;
    if (rest < shortest) continue;
    for (const { replacement, languages } of ENDINGS.get(word.slice(rest)) ?? []) {
      forms.push({ form: word.slice(0, rest) + replacement, languages });
    }
    for (const { languages } of PREFIXES.get(word.slice(0, length)) ?? []) {
      forms.push({ form: word.slice(length), languages });
    }
  }
  return forms;
}

/** Reduces repeated letters and syllables: "nooooo" to "noo" and "no", "jajajajaja" to "jaja". */
export function calmed(word: string): string[] {
  const repeated = REPEATED.exec(word)?.[1];
  if (repeated !== undefined) return [repeated + repeated];
  const once = word.replace(DRAWN_OUT_LETTER, '$1');
  return once === word ? [] : [once, word.replace(DRAWN_OUT_LETTER, '$1$1')];
}

/** Removes Slavic case and gender endings of one to three letters: кошку, кошка; грустная, грустный. */
function shortened(word: string): BaseForm[] {
  if (word.length < 4) return [];
  const forms: BaseForm[] = [];
  for (let cut = 0; cut <= 3 && word.length - cut >= SHORTEST_REST; cut++) {
    const rest = word.slice(0, word.length - cut);
    for (const ending of SLAVIC_ENDINGS) forms.push({ form: rest + ending, languages: RUSSIAN_UKRAINIAN });
  }
  return forms;
}

/** The rules, grouped by what they remove: beginnings and endings. */
function readRules(): [prefixes: ReadonlyMap<string, Rule[]>, endings: ReadonlyMap<string, Rule[]>] {
  const prefixes = new Map<string, Rule[]>();
  const endings = new Map<string, Rule[]>();
  for (const [codes, rules] of RULES) {
    const languages = new Set(codes.split(' ').map((code) => LANGUAGES.indexOf(code)));
    for (const rule of rules.split(' ')) {
      const [taken = '', replacement = ''] = rule.split(':');
      const isPrefix = taken.endsWith('-');
      const ending = isPrefix ? taken.slice(0, -1) : taken;
      const group = isPrefix ? prefixes : endings;
      group.set(ending, [...(group.get(ending) ?? []), { ending, replacement, languages }]);
    }
  }
  return [prefixes, endings];
}
