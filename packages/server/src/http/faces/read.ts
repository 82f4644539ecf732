import { LIMITS } from '@zoetrope/contract';
import { languageOf, normaliseQuery } from '../../index/index.ts';
import type { RawQuery, RouteCaller } from '../cached-route.ts';
import type { Page, Selection } from '../discovery/lists.ts';

/** Texts that apps send for values that they do not have. */
const ABSENT = new Set(['', 'undefined', 'null']);
const WHOLE = /^\d{1,9}$/;

/** Returns the first value of a parameter, or an empty string. */
export function textOf(raw: RawQuery, name: string): string {
  const given = raw[name];
  const value = (Array.isArray(given) ? given[0] : given)?.trim() ?? '';
  return ABSENT.has(value) ? '' : value;
}

/** Returns a number within its bounds. Anything that is not a whole number becomes the default. */
export function numberOf(raw: RawQuery, name: string, bounds: { least: number; most: number; usual: number }): number {
  const value = textOf(raw, name);
  if (!WHOLE.test(value)) return bounds.usual;
  return Math.min(bounds.most, Math.max(bounds.least, Number(value)));
}

/**
 * Returns the page that a caller wants, from the parameters with these names. Pages beyond the longest list are empty.
 */
export function pageOf(
  raw: RawQuery,
  { limit, offset }: { limit: string; offset: string },
  { most, usual }: { most: number; usual: number },
): Page {
  return {
    limit: numberOf(raw, limit, { least: 1, most, usual }),
    offset: numberOf(raw, offset, { least: 0, most: LIMITS.rankedListMax, usual: 0 }),
  };
}

/** Returns the search for a query. @param lang language of the user, such as `de` or `pt_BR` */
export function searchOf(q: string, lang: string, { client, isWordsOnly }: RouteCaller): Selection {
  const language = languageOf(lang);
  const rank = client.isDevelopment ? 'anonymous' : 'registered';
  // Many apps always send English, whatever language their users speak. Therefore English is treated as unknown.
  const known = language === languageOf('en') ? undefined : language;
  return { of: 'search', q: normaliseQuery(q.slice(0, LIMITS.queryMaxLength)), language: known, isWordsOnly, rank };
}
