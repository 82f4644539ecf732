import { en, type Strings } from './words/en.ts';

/** Loads the strings of each language other than English, so that a page loads only its own. */
const LOADS: Readonly<Record<string, () => Promise<Strings>>> = {
  ar: async () => (await import('./words/ar.ts')).ar,
  de: async () => (await import('./words/de.ts')).de,
  es: async () => (await import('./words/es.ts')).es,
  fr: async () => (await import('./words/fr.ts')).fr,
  hi: async () => (await import('./words/hi.ts')).hi,
  it: async () => (await import('./words/it.ts')).it,
  ja: async () => (await import('./words/ja.ts')).ja,
  ko: async () => (await import('./words/ko.ts')).ko,
  pt: async () => (await import('./words/pt.ts')).pt,
  ru: async () => (await import('./words/ru.ts')).ru,
  zh: async () => (await import('./words/zh.ts')).zh,
};

/** Languages of the interface. */
export const LOCALES: readonly string[] = ['en', ...Object.keys(LOADS)];

const loaded = new Map<string, Strings>([['en', en]]);

/** Returns the first language that has been translated, or English if there is none. */
export function localeFor(languages: readonly string[]): string {
  const codes = languages.map((language) => language.toLowerCase().split(/[-_]/, 1)[0]!);
  return codes.find((code) => LOCALES.includes(code)) ?? 'en';
}

/** Returns the strings of a language, or the English ones if they have not been loaded. */
export function stringsIn(locale: string): Strings {
  return loaded.get(locale) ?? en;
}

/**
 * Loads the strings of a language. Resolves after at most `mostMs` milliseconds. Without the strings, the interface is
 * in English, so a failure is not an error.
 */
export async function loadStrings(locale: string, mostMs: number): Promise<void> {
  if (loaded.has(locale)) return;
  const loading = LOADS[locale]!().then(
    (strings) => loaded.set(locale, strings),
    () => {}, // The strings are requested again at the next rendering.
  );
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, mostMs))]);
}

/** Replaces the placeholders of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export type { Strings };
