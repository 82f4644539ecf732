import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { toNpub } from '../../account/index.ts';
import { systemClock } from '../../base/clock.ts';
import { loadConfig } from '../../config.ts';
import { migrate, openDatabase } from '../../platform/db/index.ts';
import { DATA_MIGRATIONS, type Service } from '../../service/index.ts';
import { recordUpload, setDeleted } from '../../uploads/index.ts';
import { createMembers } from './members.ts';

const [BUSY, IDLE, FORMER] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)];
const DAY_MS = 86_400_000;
const db = openDatabase(':memory:');
afterEach(() => db.destroy());

test('members are listed with what they uploaded, today and in total', async () => {
  await migrate(db, DATA_MIGRATIONS);
  const now = systemClock.now();
  const quota = { files: 9, bytes: 1_000_000 };
  const upload = (n: number, pubkey: string, at: number) =>
    recordUpload(db, { sha256: String(n).repeat(64), pubkey, bytes: 10, format: 'gif', run: `run ${n}`, at }, quota);
  await upload(1, BUSY, now - 2 * DAY_MS);
  await upload(2, BUSY, now);
  await upload(3, BUSY, now);
  await upload(4, FORMER, now);
  await setDeleted(db, '3'.repeat(64), now);
  const config = loadConfig(
    { ZOETROPE_MEMBERS: `${BUSY},${IDLE}`, ZOETROPE_MEMBER_LIMITS: 'memberFiles=7' },
    path.join(os.tmpdir(), 'zoetrope-nothing-here'),
  );
  const { members } = createMembers({ config, store: { db } } as Service, {
    uploads: '',
    stopping: new AbortController().signal,
    told: () => Promise.resolve(),
  });
  expect(await members()).toEqual({
    members: [
      { npub: await toNpub(BUSY), files: 2, bytes: 20, uploads: 2 },
      { npub: await toNpub(IDLE), files: 0, bytes: 0, uploads: 0 },
    ],
    quota: { files: 7, bytes: config.account.memberBytes },
  });
});
