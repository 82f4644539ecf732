import { type Console, en as console } from './console/en.ts';
import { LANGUAGE, type Language } from './language.ts';
import { ENGLISH as OWNERS, ownersIn } from './owners.ts';
import { type Review, en as review } from './review/en.ts';
import { textsOf } from './texts.ts';

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

/** Loads the texts of the page's language. Without them, operators' pages are in English. */
export async function loadTexts(): Promise<void> {
  if (LANGUAGE === 'en') return;
  const [owners, operators] = await Promise.all([ownersIn(LANGUAGE), LOADS[LANGUAGE]()]).catch(() => [{}, {}]);
  texts.use({ ...owners, ...operators });
}
