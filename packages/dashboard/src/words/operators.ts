import { type Console, en as console } from './console/en.ts';
import { LANGUAGE, type Language } from './language.ts';
import { ENGLISH as OWNERS, type Owners, ownersIn } from './owners.ts';
import { type Review, en as review } from './review/en.ts';
import { type Catalogue, textsOf } from './texts.ts';

/** The English texts of all pages. */
export const ENGLISH = { ...OWNERS, ...review, ...console };
type Operators = Review & Console;

const LOADS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Operators>>> = {
  ar: () => both(import('./review/ar.ts'), import('./console/ar.ts')),
  de: () => both(import('./review/de.ts'), import('./console/de.ts')),
  es: () => both(import('./review/es.ts'), import('./console/es.ts')),
  fr: () => both(import('./review/fr.ts'), import('./console/fr.ts')),
  hi: () => both(import('./review/hi.ts'), import('./console/hi.ts')),
  it: () => both(import('./review/it.ts'), import('./console/it.ts')),
  ja: () => both(import('./review/ja.ts'), import('./console/ja.ts')),
  ko: () => both(import('./review/ko.ts'), import('./console/ko.ts')),
  pt: () => both(import('./review/pt.ts'), import('./console/pt.ts')),
  ru: () => both(import('./review/ru.ts'), import('./console/ru.ts')),
  zh: () => both(import('./review/zh.ts'), import('./console/zh.ts')),
};

async function both(reviews: Promise<{ words: Review }>, consoles: Promise<{ words: Console }>): Promise<Operators> {
  return { ...(await reviews).words, ...(await consoles).words };
}

const texts = textsOf(ENGLISH);

/** Returns a text of any page. Numbers among the values are formatted. */
export const say: typeof texts.say = texts.say;
/** Returns the parts of a text with markup, for a template. */
export const rich: typeof texts.rich = texts.rich;

/** Returns the texts of all pages in a language. @throws if they cannot be loaded */
export async function operatorsIn(language: Language): Promise<Catalogue & Owners & Operators> {
  if (language === 'en') return ENGLISH;
  const [owners, operators] = await Promise.all([ownersIn(language), LOADS[language]()]);
  return { ...owners, ...operators };
}

/** Loads the texts of the page's language. Without them, operators' pages are in English. */
export async function loadTexts(): Promise<void> {
  texts.use(await operatorsIn(LANGUAGE).catch(() => ({})));
}
