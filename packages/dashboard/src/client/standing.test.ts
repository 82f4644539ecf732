import { expect, test } from 'vitest';
import { type Facts, standingOf } from './standing.ts';

const nothing = { suspendedBecause: '', origins: [], keys: [], userAgents: [], requests: [] };
const origin = { id: 'o', origin: 'https://app.example', createdAt: 0, proof: null };
const key = { id: 'k', name: 'phone', createdAt: 0, lastUsedAt: null, expiresAt: null };
const NOW = 1_000;
const expired = { ...key, expiresAt: NOW };
const agent = { id: 'u', pattern: 'App/*', createdAt: 0 };
const request = { id: 'r', kind: 'origin' as const, value: 'https://b.example', createdAt: 0, proof: null };

test.each<[sats: number, given: Partial<Facts> & Pick<Facts, 'state'>, sentence: string]>([
  [1000, { state: 'unpaid' }, 'Unpaid: pay the fee, then add an origin or a key.'],
  [1000, { state: 'unpaid', keys: [key] }, 'Unpaid: pay the fee, then requests are accepted.'],
  [0, { state: 'unpaid' }, 'Unpaid, but there is no fee any more: an operator has to approve it.'],
  [0, { state: 'approved' }, 'Approved, but nothing can call yet: add an origin or a key.'],
  [0, { state: 'approved', requests: [request] }, 'Approved, but nothing can call yet. Waiting for review: 1 origin.'],
  [
    0,
    { state: 'approved', requests: [{ ...request, kind: 'owner' }] },
    'Approved, but nothing can call yet: add an origin or a key.',
  ],
  [0, { state: 'approved', origins: [origin, origin], keys: [key] }, 'Ready: 2 origins and 1 key can call.'],
  [
    0,
    {
      state: 'approved',
      origins: [origin],
      keys: [key, key],
      userAgents: [agent],
      requests: [request, { ...request, kind: 'user-agent' }],
    },
    'Ready: 1 origin, 2 keys and 1 user agent can call, and these wait for review: 1 origin and 1 user agent.',
  ],
  [0, { state: 'approved', keys: [{ ...key, expiresAt: NOW + 1 }, expired] }, 'Ready: 1 key can call.'],
  [0, { state: 'approved', keys: [expired] }, 'Approved, but nothing can call: its keys have expired.'],
  [0, { state: 'suspended', suspendedBecause: 'floods us', keys: [key] }, 'Suspended by an operator: floods us'],
  [0, { state: 'suspended' }, 'Suspended by an operator: its requests are refused.'],
  [0, { state: 'rejected', keys: [key] }, 'Rejected by an operator: its requests are refused.'],
])('with a fee of %d sats, one correct sentence describes the state of %j', (sats, given, sentence) => {
  expect(standingOf({ ...nothing, ...given }, sats, NOW)).toBe(sentence);
});
