import type { Client, ClientState, ClientSummary, Site } from '@zoetrope/contract/account';

/** Labels of the client states. */
const STATES: Readonly<Record<ClientState, string>> = {
  unpaid: 'awaiting payment',
  approved: 'active',
  rejected: 'rejected',
  suspended: 'suspended',
};

/** The consequence of each state for the client's requests. */
const CONSEQUENCES: Readonly<Record<ClientState, string>> = {
  unpaid: 'Its requests are rejected until the fee is paid.',
  approved: 'Requests from its registered origins, keys or user agents are accepted.',
  rejected: 'An operator rejected it. Its requests are rejected.',
  suspended: 'An operator suspended it. Its requests are rejected.',
};

export function stateInWords({ state, suspendedBecause = '' }: Pick<ClientSummary, 'state'> & Partial<Client>): string {
  return suspendedBecause === '' ? STATES[state] : `${STATES[state]}: ${suspendedBecause}`;
}

export function consequenceOf(state: ClientState): string {
  return CONSEQUENCES[state];
}

/**
 * Returns when removed origins, keys and user agents are refused. The service itself notices within a second, but caches
 * in front of it remember whom they have admitted.
 */
export function stopsWorking({ cached }: Pick<Site, 'cached'>): string {
  return cached ? 'within an hour' : 'within a second';
}

/** Formats a date. @param time in milliseconds since the Unix epoch */
export function dateOf(time: number): string {
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' });
}

export function momentOf(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a duration as minutes and seconds. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function count(number: number): string {
  return number.toLocaleString();
}

/** Returns a number with its noun, such as "1 request" or "2,000 requests". */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Joins items as in a sentence: "a, b and c". */
export function listed(items: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(items);
}

/** Returns an npub, shortened for places with little room. */
export function shortened(npub: string): string {
  return `${npub.slice(0, 10)}…${npub.slice(-4)}`;
}

/** Formats a number of bytes. */
export function bytesInWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const number = bytes / 1000 ** power;
  return `${number.toLocaleString(undefined, { maximumFractionDigits: number < 10 && power > 0 ? 1 : 0 })} ${units[power]}`;
}

/** Formats a duration, such as 40 s or 3 min. */
export function spanOf(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
