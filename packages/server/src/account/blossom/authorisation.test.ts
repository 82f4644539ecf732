import { type EventTemplate, finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { expect, test } from 'vitest';
import { readAuthorisation } from './authorisation.ts';

const key = generateSecretKey();
const NOW_S = 1_800_000_000;
const HASH = 'a'.repeat(64);
const USE = { action: 'upload' as const, hosts: ['media.example', 'gifs.example'], now: NOW_S * 1_000 };

interface Change extends Partial<EventTemplate> {
  t?: string;
  expiration?: string;
  more?: string[][];
}

function sign({ t = 'upload', expiration = String(NOW_S + 60), more = [['x', HASH]], ...changes }: Change = {}) {
  const tags = [['t', t], ['expiration', expiration], ...more];
  // The library marks checked events with a hidden field. JSON does not keep that field.
  return JSON.parse(
    JSON.stringify(finalizeEvent({ kind: 24_242, created_at: NOW_S, content: '', tags, ...changes }, key)),
  );
}

const encode = (event: unknown) => `Nostr ${Buffer.from(JSON.stringify(event)).toString('base64url')}`;

test('an authorisation names the member, the files and the time at which it expires', async () => {
  const event = sign({
    more: [
      ['x', HASH],
      ['x', 'b'.repeat(64)],
      ['x', 'c'],
    ],
  });
  expect(await readAuthorisation(encode(event), USE)).toEqual({
    pubkey: getPublicKey(key),
    authorisation: { id: event.id, hashes: [HASH, 'b'.repeat(64)], expiresAt: (NOW_S + 60) * 1_000 },
  });
});

test.each(['media.example', 'GIFS.example', 'https://media.example/'])('the server tag can be %s', async (server) => {
  const more = [
    ['x', HASH],
    ['server', 'other.example'],
    ['server', server],
  ];
  await expect(readAuthorisation(encode(sign({ more })), USE)).resolves.toBeDefined();
});

test.each<[string, unknown, string]>([
  ['no JSON', 'hello', 'as JSON in base64'],
  ['null', null, 'as JSON in base64'],
  ['another kind', sign({ kind: 27_235 }), 'kind 24242'],
  ['another action', sign({ t: 'delete' }), 'a t tag with the value upload'],
  ['an end in the past', sign({ expiration: String(NOW_S) }), 'has expired'],
  ['an end that is no time', sign({ expiration: 'never' }), 'expiration tag'],
  ['an end in a year', sign({ expiration: String(NOW_S + 31_536_000) }), 'at most 7 days'],
  ['a start in the future', sign({ created_at: NOW_S + 3_600 }), 'in the future'],
  [
    'another server',
    sign({
      more: [
        ['x', HASH],
        ['server', 'other.example'],
      ],
    }),
    'another server',
  ],
  ['no file', sign({ more: [['x', 'A']] }), 'no file'],
  ['tags of another type', { ...sign(), tags: [[1]] }, 'lists of strings'],
  ['a changed content', { ...sign(), content: 'x' }, 'wrong id or signature'],
  ['a wrong signature', { ...sign(), sig: '0'.repeat(128) }, 'wrong id or signature'],
])('an authorisation with %s is refused with the reason', async (_, event, reason) => {
  const refused = readAuthorisation(encode(event), USE);
  await expect(refused).rejects.toMatchObject({ code: 'login_refused', message: expect.stringContaining(reason) });
});

test('without an authorisation, the message describes what is expected', async () => {
  await expect(readAuthorisation(undefined, USE)).rejects.toMatchObject({ code: 'not_signed_in' });
  await expect(readAuthorisation('Basic abc', USE)).rejects.toMatchObject({ code: 'login_refused' });
});
