import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { finalizeEvent, generateSecretKey, getEventHash, getPublicKey } from 'nostr-tools/pure';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { MemoryBlobs } from '../media/testing/memory-blobs.ts';
import { silentLog } from '../media/testing/test-media.ts';
import { migrate, openDatabase } from '../platform/db/index.ts';
import { FilledRelay } from '../platform/relay/testing/relay.ts';
import { tables } from '../records/index.ts';
import { DATA_MIGRATIONS, type Service } from '../service/index.ts';
import { readRelays } from './supervisor.ts';

const NOW = Math.floor(Date.now() / 1_000);

/** Returns an event about a GIF whose URL cannot be fetched. */
function file(n: number, by: Uint8Array) {
  const tags = [
    ['url', `https://10.0.0.${n}/a.gif`],
    ['m', 'image/gif'],
  ];
  return finalizeEvent({ kind: 1063, created_at: NOW, content: `cat ${n}`, tags }, by);
}

test('a follow list counts only if the person who follows has signed it', async () => {
  const [me, friend, stranger] = [generateSecretKey(), generateSecretKey(), generateSecretKey()];
  const [pubkey, wanted, unwanted] = [me, friend, stranger].map(getPublicKey) as [string, string, string];
  const list = { kind: 3, content: '', created_at: NOW - 1, tags: [['p', wanted]] };
  const forged = { ...list, created_at: NOW, tags: [['p', unwanted]], pubkey };
  const relay = await FilledRelay.start();
  onTestFinished(() => relay.down());
  relay.publish([
    finalizeEvent(list, me),
    { ...forged, id: getEventHash(forged), sig: '0'.repeat(128) },
    ...[file(1, friend), file(2, stranger)],
  ]);

  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'zoetrope-'));
  const db = openDatabase(':memory:');
  onTestFinished(async () => {
    await db.destroy();
    await fs.rm(folder, { recursive: true });
  });
  await migrate(db, DATA_MIGRATIONS);
  const settings = { ZOETROPE_RELAY_AUTHORS: 'followed', ZOETROPE_RELAY_PUBKEYS: pubkey };
  const config = loadConfig({ ...settings, ZOETROPE_DATA: folder }, folder);
  const registry = { db, ready: async () => {} };
  const store = { db, folder, databaseUrl: '' };
  const service = { config, store, registry, log: silentLog(), blobs: new MemoryBlobs() } as unknown as Service;
  const { signal } = new AbortController();
  expect(await readRelays(service, { actor: 'a test', now: 1 }, [relay.url], { onProgress: () => {}, signal })).toBe(
    true,
  );
  const authors = await tables(db).selectFrom('claims').select('author').execute();
  expect(authors).toEqual([{ author: wanted }]);
});
