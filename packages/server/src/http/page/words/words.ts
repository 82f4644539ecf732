import type { IncomingMessage } from 'node:http';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { type Counted, en, type Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { hi } from './hi.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { zh } from './zh.ts';

/** The languages of the pages, each with its own name. The picker has the same languages. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  pt: 'Português',
  ru: 'Русский',
  ar: 'العربية',
  hi: 'हिन्दी',
  ja: '日本語',
  ko: '한국어',
  zh: '中文',
} as const;
export type Language = keyof typeof LANGUAGES;

const ALL: Readonly<Record<Language, Words>> = { en, de, es, fr, it, pt, ru, ar, hi, ja, ko, zh };
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar']);

/** The cookie in which the pages store the language that the user has chosen. */
export const LANGUAGE_COOKIE = 'language';

/** The texts of one language, and its rules for numbers. */
export interface Texts {
  language: Language;
  direction: 'ltr' | 'rtl';
  words: Words;
  /** Returns the text for a number. */
  count(text: Counted, n: number, values?: Values): string;
  /** Returns a quantity with its unit, such as "1.2 MB". @param unit a unit of `Intl.NumberFormat` */
  quantity(n: number, unit: string): string;
}

type Values = Readonly<Record<string, string | number>>;

const made = new Map<Language, Texts>();

/** Returns the texts of a language. */
export function textsOf(language: Language): Texts {
  const kept = made.get(language);
  if (kept !== undefined) return kept;
  const [plural, numbers] = [new Intl.PluralRules(language), new Intl.NumberFormat(language)];
  const texts: Texts = {
    language,
    direction: RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr',
    words: ALL[language],
    count: (text, n, values = {}) => fill(text[plural.select(n)] ?? text.other, { ...values, n: numbers.format(n) }),
    quantity: (n, unit) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: n < 10 ? 1 : 0 }).format(n),
  };
  made.set(language, texts);
  return texts;
}

/** Returns the texts for a request: of the chosen language, or of the first accepted language that the pages have. */
export function textsFor({ headers }: Pick<IncomingMessage, 'headers'>): Texts {
  const chosen = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1];
  const accepted = (headers['accept-language'] ?? '')
    .split(',')
    .map((part) => part.trim().split(';'))
    .map(([tag, weight]) => ({ tag: tag!, weight: Number(/q=([\d.]+)/.exec(weight ?? '')?.[1] ?? 1) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  const codes = [chosen, ...accepted].map((tag) => tag?.toLowerCase().split('-')[0]);
  return textsOf(codes.find(isLanguage) ?? 'en');
}

export function isLanguage(code: string | undefined): code is Language {
  return code !== undefined && Object.hasOwn(LANGUAGES, code);
}

/** Replaces the placeholders of a text. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
