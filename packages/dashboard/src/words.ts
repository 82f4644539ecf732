import type { Client, ClientSummary, Site } from '@zoetrope/contract/account';
import { LANGUAGE, LOCALE } from './words/language.ts';
import { say } from './words/owners.ts';

export function stateInWords({ state, suspendedBecause = '' }: Pick<ClientSummary, 'state'> & Partial<Client>): string {
  const name = say(`state_${state}`);
  return suspendedBecause === '' ? name : say('stateBecause', { state: name, reason: suspendedBecause });
}

/**
 * Returns when removed origins, keys and user agents are refused. The service itself notices within a second, but caches
 * in front of it remember whom they have admitted.
 */
export function stopsWorking({ cached }: Pick<Site, 'cached'>): string {
  return cached ? say('withinHour') : say('withinSecond');
}

/** Formats a date. @param time in milliseconds since the Unix epoch */
export function dateOf(time: number): string {
  return new Date(time).toLocaleDateString(LOCALE, { dateStyle: 'medium' });
}

export function momentOf(time: number): string {
  return new Date(time).toLocaleString(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a duration as minutes and seconds. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Formats a number. @param decimals maximum number of digits after the decimal point */
export function count(number: number, decimals = 0): string {
  return number.toLocaleString(LOCALE, { maximumFractionDigits: decimals });
}

/** Formats a share, such as 40 %. @param share from 0 to 1 */
export function percent(share: number, decimals = 0): string {
  return share.toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: decimals });
}

/** Joins items as in a sentence: "a, b and c". English is written as in Britain, without a comma before "and". */
export function listed(items: readonly string[]): string {
  return new Intl.ListFormat(LANGUAGE === 'en' ? 'en-GB' : LOCALE).format(items);
}

/** Returns the name of a language. @param code ISO 639 code */
export function languageInWords(code: string): string {
  return new Intl.DisplayNames(LOCALE, { type: 'language' }).of(code) ?? code;
}

/** Returns an npub, shortened for places with little room. */
export function shortened(npub: string): string {
  return `${npub.slice(0, 10)}…${npub.slice(-4)}`;
}

const BYTES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a number of bytes. */
export function bytesInWords(bytes: number): string {
  const power = Math.min(BYTES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const number = bytes / 1000 ** power;
  const maximumFractionDigits = number < 10 && power > 0 ? 1 : 0;
  const unitDisplay = power === 0 ? 'long' : 'short';
  return number.toLocaleString(LOCALE, { style: 'unit', unit: BYTES[power]!, unitDisplay, maximumFractionDigits });
}

/** Formats a duration, such as 40 s or 3 min. */
export function spanOf(seconds: number): string {
  if (seconds < 90) return span(seconds, 'second', 0);
  return seconds < 5_400 ? span(seconds / 60, 'minute', 0) : span(seconds / 3_600, 'hour', 1);
}

function span(number: number, unit: string, maximumFractionDigits: number): string {
  return number.toLocaleString(LOCALE, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits });
}
