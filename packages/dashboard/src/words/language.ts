/** The languages of the dashboard, each with its own name. The service's pages and the picker have the same languages. */
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

const RIGHT_TO_LEFT: ReadonlySet<Language> = new Set(['ar']);

/** The cookie in which the service's pages store the language that the user has chosen. */
const COOKIE = 'language';

/** What the browser says about languages: its cookies, and the user's languages, the preferred one first. */
interface Wishes {
  cookie: string;
  languages: readonly string[];
}

/** Returns the chosen language, or the user's first language that the dashboard has. */
export function languageFor({ cookie, languages }: Wishes): Language {
  const chosen = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\w+)`).exec(cookie)?.[1];
  return [chosen, ...languages].map((tag) => tag && codeOf(tag)).find(isLanguage) ?? 'en';
}

/** Returns the tag by which numbers and times are formatted: with the user's region, if the user has named one. */
export function localeFor(language: Language, { languages }: Pick<Wishes, 'languages'>): string {
  return languages.find((tag) => codeOf(tag) === language) ?? language;
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
}

function codeOf(tag: string): string {
  return tag.toLowerCase().split('-', 1)[0]!;
}

function isLanguage(code: string | undefined): code is Language {
  return code !== undefined && Object.hasOwn(LANGUAGES, code);
}

// Tests of single modules have no browser around them.
const wishes: Wishes = { cookie: globalThis.document?.cookie ?? '', languages: globalThis.navigator?.languages ?? [] };

/** The language of this page. It changes only with a new page. */
export const LANGUAGE: Language = languageFor(wishes);
/** The tag by which this page formats numbers and times. */
export const LOCALE: string = localeFor(LANGUAGE, wishes);
