import type { Client, ClientState, ClientSummary } from '@zoetrope/contract/account';

/** What a state is called where clients are listed. */
const STATES: Readonly<Record<ClientState, string>> = {
  unpaid: 'awaiting payment',
  pending: 'waits for review',
  approved: 'active',
  rejected: 'rejected',
  suspended: 'suspended',
};

/** What follows from a state, in a sentence. */
const CONSEQUENCES: Readonly<Record<ClientState, string>> = {
  unpaid: 'Its requests are refused until the fee is paid.',
  pending: 'An operator looks at it first; its requests are refused until then.',
  approved: 'Requests that come by one of its ways in are answered.',
  rejected: 'An operator said no; its requests are refused.',
  suspended: 'An operator stopped it; its requests are refused.',
};

export function stateInWords({ state, suspendedBecause = '' }: Pick<ClientSummary, 'state'> & Partial<Client>): string {
  return suspendedBecause === '' ? STATES[state] : `${STATES[state]}: ${suspendedBecause}`;
}

export function consequenceOf(state: ClientState): string {
  return CONSEQUENCES[state];
}

/** @param time in milliseconds since the Unix epoch */
export function dateOf(time: number): string {
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' });
}

export function momentOf(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Minutes and seconds, as on a clock. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function count(number: number): string {
  return number.toLocaleString();
}

/** An npub that fits where its whole is not needed. */
export function shortened(npub: string): string {
  return `${npub.slice(0, 10)}…${npub.slice(-4)}`;
}
