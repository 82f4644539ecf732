import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toNpub } from '../../account/index.ts';
import { systemClock } from '../../base/clock.ts';
import { loadConfig } from '../../config.ts';
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts';
import { DATA_MIGRATIONS, type Service } from '../../service/index.ts';
import { findUpload, recordUpload, setDeleted, type Upload } from '../../uploads/index.ts';
import { createMembers } from './members.ts';

const [BUSY, IDLE, FORMER] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)];
const DAY_MS = 86_400_000;
const QUOTA = { files: 9, bytes: 1_000_000 };
let db: Database;
beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
});
afterEach(() => db.destroy());

const hashOf = (n: number) => String(n).repeat(64);
const fileOf = (n: number, pubkey: string, at: number): Upload => ({
  ...{ sha256: hashOf(n), pubkey, bytes: 10, format: 'gif', run: `run ${n}`, at },
});
const upload = (n: number, pubkey: string, at: number) => recordUpload(db, fileOf(n, pubkey, at), QUOTA);

function membersOf(environment: Record<string, string>) {
  const config = loadConfig(environment, path.join(os.tmpdir(), 'zoetrope-nothing-here'));
  const functions = createMembers({ config, store: { db } } as Service, {
    uploads: path.join(os.tmpdir(), 'zoetrope-no-uploads'),
    stopping: new AbortController().signal,
    told: () => Promise.resolve(),
  });
  return { config, ...functions };
}

test('members are listed with what they uploaded, today and in total', async () => {
  const now = systemClock.now();
  await upload(1, BUSY, now - 2 * DAY_MS);
  await upload(2, BUSY, now);
  await upload(3, BUSY, now);
  await upload(4, FORMER, now);
  await setDeleted(db, hashOf(3), now);
  const { config, members } = membersOf({
    ZOETROPE_MEMBERS: `${BUSY},${IDLE}`,
    ZOETROPE_MEMBER_LIMITS: 'memberFiles=7',
  });
  expect(await members()).toEqual({
    members: [
      { npub: await toNpub(BUSY), files: 2, bytes: 20, uploads: 2 },
      { npub: await toNpub(IDLE), files: 0, bytes: 0, uploads: 0 },
    ],
    quota: { files: 7, bytes: config.account.memberBytes },
  });
});

test('an authorisation is only for the files that it names', async () => {
  const { takeUpload, deleteUpload } = membersOf({});
  const now = systemClock.now();
  const authorisation = { id: 'f'.repeat(64), expiresAt: now + DAY_MS, hashes: [hashOf(1), hashOf(2)] };
  const refusal = { code: 'login_refused', message: expect.stringContaining(`this one has the hash ${hashOf(3)}`) };
  const { at: _, ...file } = fileOf(3, BUSY, now);
  await expect(takeUpload({ ...file, path: '/3.gif', authorisation })).rejects.toMatchObject(refusal);
  expect(await findUpload(db, hashOf(3))).toBeUndefined();
  await upload(3, BUSY, now);
  await expect(deleteUpload({ pubkey: BUSY, sha256: hashOf(3), authorisation })).rejects.toMatchObject(refusal);
  expect(await findUpload(db, hashOf(3))).toMatchObject({ pubkey: BUSY });
});
