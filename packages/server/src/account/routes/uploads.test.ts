import fs from 'node:fs';
import path from 'node:path';
import type { MemberUpload } from '@zoetrope/contract/account';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { type Database, openDatabase } from '../../platform/db/index.ts';
import type { Console } from '../console/console.ts';
import type { AccountContext } from '../context.ts';
import { Browser } from '../testing/browser.ts';
import { PUBLIC_URL, startDashboard, type TestService } from '../testing/service.ts';

const FILE = { 'content-type': 'application/octet-stream' };
const GIF = `GIF89a${'.'.repeat(20)}`;

let db: Database;
let folder: string;
let service: TestService;
let member: Browser;
const takeUpload = vi.fn<Console['takeUpload']>();
const checkUpload = vi.fn<Console['checkUpload']>();

beforeEach(async () => {
  db = openDatabase(':memory:');
  folder = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'zoetrope-'));
  const pubkeys = new Set<string>();
  const empty = { uploads: [], used: { files: 0, bytes: 0 }, quota: { files: 9, bytes: 9 }, maxFileBytes: 1_000 };
  const console = { takeUpload, checkUpload, uploadsOf: async () => empty } as unknown as AccountContext['console'];
  service = await startDashboard(db, {
    ...{ console, uploads: { folder, maxBytes: 1_000, reserveBytes: 0 } },
    members: { pubkeys, quota: { files: 9, bytes: 9 } },
  });
  member = new Browser(service.url, PUBLIC_URL);
  pubkeys.add(member.pubkey);
  checkUpload.mockReset().mockResolvedValue(null);
  takeUpload.mockReset().mockImplementation(async ({ sha256, bytes, format }) => {
    return { sha256, bytes, format, at: 1, state: 'processing', reason: '' } satisfies MemberUpload;
  });
});

afterEach(async () => {
  await service.stop();
  await db.destroy();
  fs.rmSync(folder, { recursive: true });
});

test('a member uploads a file, whose name the import reads', async () => {
  expect((await member.signIn()).body).toMatchObject({ isMember: true });
  const { status, body } = await member.ask('POST /uploads/files/happy%20cat.gif', GIF, FILE);
  expect([status, body.state]).toEqual([200, 'processing']);
  const [{ pubkey, run, path: file, bytes }] = takeUpload.mock.calls[0]!;
  expect({ pubkey, bytes, name: path.basename(file) }).toEqual({
    ...{ pubkey: member.pubkey, bytes: GIF.length, name: 'happy cat.gif' },
  });
  expect(path.dirname(path.dirname(file))).toBe(path.join(folder, run));
  expect(fs.readFileSync(file, 'latin1')).toBe(GIF);
});

test('a file is not received if the quota is used up', async () => {
  await member.signIn();
  checkUpload.mockRejectedValue(new ServiceError('rate_limited', 'enough', { retryAfter: 60 }));
  const { status, headers } = await member.ask('POST /uploads/files/a.gif', GIF, FILE);
  expect([status, headers.get('retry-after'), fs.readdirSync(folder)]).toEqual([429, '60', []]);
  expect(takeUpload).not.toHaveBeenCalled();
});

test('a stranger cannot upload, and a file needs the token of the session', async () => {
  const stranger = new Browser(service.url, PUBLIC_URL);
  expect((await stranger.signIn()).body).toMatchObject({ isMember: false });
  expect((await stranger.ask('GET /uploads')).status).toBe(403);
  expect((await stranger.ask('POST /uploads/files/a.gif', GIF, FILE)).status).toBe(403);
  await member.signIn();
  const without = await member.ask('POST /uploads/files/a.gif', GIF, { ...FILE, 'x-csrf-token': '' });
  expect(without.status).toBe(403);
  expect(takeUpload).not.toHaveBeenCalled();
});
