import type { Client } from '@zoetrope/contract/account';
import { say } from '../words/owners.ts';
import { listed } from '../words.ts';

/** The facts about a client that decide whether its requests are accepted. */
export type Facts = Pick<Client, 'state' | 'suspendedBecause' | 'origins' | 'keys' | 'userAgents' | 'requests'>;

/**
 * Returns one sentence about a client: whether its requests are accepted and, if not, what its owners must do.
 * @param sats the registration fee; 0 if registering is free
 * @param now milliseconds since the Unix epoch
 */
export function standingOf(client: Facts, sats: number, now: number): string {
  const { state, suspendedBecause } = client;
  if (state === 'suspended') {
    return suspendedBecause === '' ? say('suspendedStanding') : say('suspendedBecause', { reason: suspendedBecause });
  }
  if (state === 'rejected') return say('rejectedStanding');
  const ways = waysIn(client, now);
  if (state === 'unpaid') return unpaid(sats, ways.length > 0);
  const waiting = waitingWays(client);
  if (ways.length > 0) {
    return waiting === ''
      ? say('ready', { ways: listed(ways) })
      : say('readyAndWaiting', { ways: listed(ways), waiting });
  }
  if (client.keys.length > 0 && waiting === '') return say('keysExpired');
  return waiting === '' ? say('nothingCalls') : say('nothingWaiting', { waiting });
}

/**
 * Returns how many identifiers of each kind admit the client, such as "2 origins". Empty if there are none.
 * @param now milliseconds since the Unix epoch
 */
export function waysIn({ origins, keys, userAgents }: Facts, now: number): string[] {
  const kinds = [
    { number: origins.length, kind: 'origins_n' },
    { number: keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).length, kind: 'keys_n' },
    { number: userAgents.length, kind: 'agents_n' },
  ] as const;
  return kinds.flatMap(({ number, kind }) => (number === 0 ? [] : say(kind, { n: number })));
}

function unpaid(sats: number, hasWays: boolean): string {
  if (sats === 0) return say('unpaidFree');
  if (hasWays) return say('unpaidReady');
  return say('unpaidStanding');
}

/** Returns what waits for an operator, or an empty string. */
function waitingWays({ requests }: Facts): string {
  const origins = requests.filter(({ kind }) => kind === 'origin').length;
  const agents = requests.filter(({ kind }) => kind === 'user-agent').length;
  return listed([
    ...(origins > 0 ? [say('origins_n', { n: origins })] : []),
    ...(agents > 0 ? [say('agents_n', { n: agents })] : []),
  ]);
}
