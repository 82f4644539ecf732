import os from 'node:os';
import { npubEncode } from 'nostr-tools/nip19';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchAudit } from '../../clients/index.ts';
import { loadConfig } from '../../config.ts';
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts';
import { addRelay } from '../../platform/relay/index.ts';
import { DATA_MIGRATIONS, type Service } from '../../service/index.ts';
import { createSources } from './sources.ts';

const BY = { actor: 'npub1operator', now: 5 };
let db: Database;
beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
});
afterEach(() => db.destroy());

function sourcesWith(settings: Record<string, string> = {}) {
  const service = {
    config: loadConfig(settings, os.tmpdir()),
    store: { db, databaseUrl: '' },
    registry: { db, ready: async () => {} },
  } as Service;
  return createSources(service);
}

test('a relay is followed under one URL, and stays listed when it is no longer followed', async () => {
  const { followRelay, leaveRelay } = sourcesWith();
  await followRelay(BY, 'wss://Relay.example/');
  expect(await followRelay(BY, 'wss://relay.example')).toMatchObject({
    relays: [{ url: 'wss://relay.example', from: 'added', taken: 0, skipped: [] }],
  });
  expect((await leaveRelay(BY, 'wss://relay.example')).relays).toMatchObject([{ from: 'none' }]);
  await expect(leaveRelay(BY, 'wss://relay.example')).rejects.toMatchObject({
    code: 'validation',
    message: 'wss://relay.example: it was not added',
  });
});

test.each(['https://relay.example', 'relay.example', 'wss://', 'wss://relay.example:99999'])(
  '%s is refused as the URL of a relay',
  async (url) => {
    await expect(sourcesWith().followRelay(BY, url)).rejects.toMatchObject({ code: 'validation' });
    expect((await sourcesWith().sources()).relays).toEqual([]);
  },
);

test('the console cannot stop following a relay that is in the settings', async () => {
  await addRelay(db, 'wss://relay.example', 0);
  const { sources, leaveRelay } = sourcesWith({ ZOETROPE_RELAYS: 'wss://relay.example' });
  await leaveRelay(BY, 'wss://relay.example');
  expect((await sources()).relays).toMatchObject([{ from: 'settings' }]);
  await expect(leaveRelay(BY, 'wss://relay.example')).rejects.toThrow('remove it there');
});

test('people and GIFs whose marks are ignored are listed, even without marks', async () => {
  const { ignoreMarks } = sourcesWith();
  const [person, gif] = ['a'.repeat(64), `${'b'.repeat(64)}.gif`];
  await ignoreMarks(BY, { subject: person, ignored: true });
  const { marks } = await ignoreMarks(BY, { subject: gif, ignored: true });
  expect(marks).toEqual([person, gif].map((subject) => ({ subject, gifs: 0, ignored: true })));
  expect((await ignoreMarks(BY, { subject: gif, ignored: false })).marks).toMatchObject([{ subject: person }]);
  await expect(ignoreMarks(BY, { subject: 'nobody', ignored: true })).rejects.toMatchObject({ code: 'validation' });
});

test('the audit log has each action of an operator once, and no refused attempts', async () => {
  const { followRelay, leaveRelay, ignoreMarks } = sourcesWith();
  for (const _ of [1, 2]) await followRelay(BY, 'wss://relay.example');
  await leaveRelay(BY, 'wss://relay.example');
  await expect(leaveRelay(BY, 'wss://relay.example')).rejects.toThrow('it was not added');
  const [person, gif] = ['a'.repeat(64), `${'b'.repeat(64)}.gif`];
  for (const ignored of [true, true, false]) await ignoreMarks(BY, { subject: person, ignored });
  await ignoreMarks(BY, { subject: gif, ignored: true });
  const log = await searchAudit(db, { client: '', actor: '', action: '', before: 0, limit: 50 });
  expect(log.toReversed().map(({ action, subject }) => [action, subject])).toEqual([
    ['relay follow', 'wss://relay.example'],
    ['relay leave', 'wss://relay.example'],
    ['marks ignore', npubEncode(person)],
    ['marks count', npubEncode(person)],
    ['marks ignore', gif],
  ]);
  expect(log).toMatchObject(Array(5).fill({ ...{ actor: BY.actor, at: BY.now, clientId: '' } }));
});
