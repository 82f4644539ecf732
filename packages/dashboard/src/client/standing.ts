import type { Client } from '@zoetrope/contract/account';
import { counted, listed } from '../words.ts';

/** The facts about a client that decide whether its requests are accepted. */
export type Facts = Pick<Client, 'state' | 'suspendedBecause' | 'origins' | 'keys' | 'userAgents' | 'requests'>;

/**
 * Returns one sentence about a client: whether its requests are accepted and, if not, what its owners must do.
 * @param sats the registration fee; 0 if registering is free
 * @param now milliseconds since the Unix epoch
 */
export function standingOf(client: Facts, sats: number, now: number): string {
  const { state, suspendedBecause } = client;
  if (state === 'suspended') return `Suspended by an operator: ${suspendedBecause || 'its requests are refused.'}`;
  if (state === 'rejected') return 'Rejected by an operator: its requests are refused.';
  const ways = waysIn(client, now);
  if (state === 'unpaid') return unpaid(sats, ways.length > 0);
  const waiting = waitingWays(client);
  if (ways.length > 0) return `Ready: ${listed(ways)} can call${waiting === '' ? '' : `, and ${waiting}`}.`;
  if (client.keys.length > 0 && waiting === '') return 'Approved, but nothing can call: its keys have expired.';
  return `Approved, but nothing can call yet: ${waiting || 'add an origin or a key'}.`;
}

/**
 * Returns how many identifiers of each kind admit the client, such as "2 origins". Empty if there are none.
 * @param now milliseconds since the Unix epoch
 */
export function waysIn({ origins, keys, userAgents }: Facts, now: number): string[] {
  const kinds = [
    { number: origins.length, kind: 'origin' },
    { number: keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).length, kind: 'key' },
    { number: userAgents.length, kind: 'user agent' },
  ];
  return kinds.flatMap(({ number, kind }) => (number === 0 ? [] : counted(number, kind)));
}

function unpaid(sats: number, hasWays: boolean): string {
  if (sats === 0) return 'Unpaid, but there is no fee any more: an operator has to approve it.';
  if (hasWays) return 'Unpaid: pay the fee, then requests are accepted.';
  return 'Unpaid: pay the fee, then add an origin or a key.';
}

/** Returns what waits for an operator, or an empty string. */
function waitingWays({ requests }: Facts): string {
  const origins = requests.filter(({ kind }) => kind === 'origin').length;
  const agents = requests.filter(({ kind }) => kind === 'user-agent').length;
  const waiting = [
    ...(origins > 0 ? [counted(origins, 'origin')] : []),
    ...(agents > 0 ? [counted(agents, 'user agent')] : []),
  ];
  if (waiting.length === 0) return '';
  return `${listed(waiting)} ${origins + agents === 1 ? 'waits' : 'wait'} for review`;
}
