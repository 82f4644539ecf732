import { type Client, en as client } from './client/en.ts';
import { type Entry, en as entry } from './entry/en.ts';
import { LANGUAGE, type Language } from './language.ts';
import { type Catalogue, textsOf } from './texts.ts';

/** The English texts of owners' pages, which come with the pages. */
export const ENGLISH = { ...entry, ...client };
export type Owners = Entry & Client;

/** Loads the texts of the other languages, so that a page loads only its own. */
const LOADS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Owners>>> = {
  ar: () => both(import('./entry/ar.ts'), import('./client/ar.ts')),
  de: () => both(import('./entry/de.ts'), import('./client/de.ts')),
  es: () => both(import('./entry/es.ts'), import('./client/es.ts')),
  fr: () => both(import('./entry/fr.ts'), import('./client/fr.ts')),
  hi: () => both(import('./entry/hi.ts'), import('./client/hi.ts')),
  it: () => both(import('./entry/it.ts'), import('./client/it.ts')),
  ja: () => both(import('./entry/ja.ts'), import('./client/ja.ts')),
  ko: () => both(import('./entry/ko.ts'), import('./client/ko.ts')),
  pt: () => both(import('./entry/pt.ts'), import('./client/pt.ts')),
  ru: () => both(import('./entry/ru.ts'), import('./client/ru.ts')),
  zh: () => both(import('./entry/zh.ts'), import('./client/zh.ts')),
};

async function both(entries: Promise<{ words: Entry }>, clients: Promise<{ words: Client }>): Promise<Owners> {
  return { ...(await entries).words, ...(await clients).words };
}

const texts = textsOf(ENGLISH);

/** Returns a text of owners' pages. Numbers among the values are formatted. */
export const say: typeof texts.say = texts.say;
/** Returns the parts of a text with markup, for a template. */
export const rich: typeof texts.rich = texts.rich;

/** Returns the texts of a language. @throws if they cannot be loaded */
export async function ownersIn(language: Language): Promise<Catalogue & Owners> {
  return language === 'en' ? ENGLISH : LOADS[language]();
}

/** Loads the texts of the page's language. Without them, the page is in English. @returns the language of the texts */
export async function loadTexts(): Promise<Language> {
  try {
    texts.use(await ownersIn(LANGUAGE));
    return LANGUAGE;
  } catch {
    return 'en';
  }
}
