import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { MemberUpload } from '@zoetrope/contract/account';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { recordGifs } from '../../catalog/index.ts';
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts';
import { setHidden, setInReview } from '../../records/index.ts';
import { DATA_MIGRATIONS } from '../../service/migrations.ts';
import { recordUpload } from '../../uploads/index.ts';
import type { Console } from '../console/console.ts';
import { createReceiver } from '../console/uploads.ts';
import type { AccountContext } from '../context.ts';
import { Browser } from '../testing/browser.ts';
import { PUBLIC_URL, startDashboard, type TestService } from '../testing/service.ts';

const FILE = { 'content-type': 'application/octet-stream' };
const GIF = `GIF89a${'.'.repeat(20)}`;

let db: Database;
let gifs: Database;
let folder: string;
let service: TestService;
let member: Browser;
let members: Set<string>;
const takeUpload = vi.fn<Console['takeUpload']>();
const checkUpload = vi.fn<Console['checkUpload']>();
const deleteUpload = vi.fn<Console['deleteUpload']>();

beforeEach(async () => {
  db = openDatabase(':memory:');
  gifs = openDatabase(':memory:');
  await migrate(gifs, DATA_MIGRATIONS);
  folder = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'zoetrope-'));
  members = new Set<string>();
  const empty = { uploads: [], used: { files: 0, bytes: 0 }, quota: { files: 9, bytes: 9 }, maxFileBytes: 1_000 };
  const functions = { takeUpload, checkUpload, deleteUpload, uploadsOf: async () => empty };
  const console = functions as unknown as AccountContext['console'];
  const picture: AccountContext['picture'] = async ({ id }) => ({
    bytes: Buffer.from(JSON.stringify(id)),
    contentType: 'image/png',
  });
  service = await startDashboard(db, {
    ...{ console, picture, catalogue: async () => gifs },
    ...{ uploads: { folder, maxBytes: 1_000, reserveBytes: 0 } },
    members: { pubkeys: members, quota: { files: 9, bytes: 9 } },
  });
  member = new Browser(service.url, PUBLIC_URL);
  members.add(member.pubkey);
  checkUpload.mockReset().mockResolvedValue(null);
  deleteUpload.mockReset();
  takeUpload.mockReset().mockImplementation(async ({ sha256, bytes, format }) => {
    return { sha256, bytes, format, at: 1, state: 'processing', reason: '' } satisfies MemberUpload;
  });
});

afterEach(async () => {
  await service.stop();
  await Promise.all([db.destroy(), gifs.destroy()]);
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

test('a file of another type is refused as soon as its first bytes have arrived', async () => {
  const receive = createReceiver({ folder, maxBytes: 1_000, reserveBytes: 0 });
  // If the type were checked at the end, the file would be refused for its size.
  const body = Readable.from([Buffer.from('a picture that is not a GIF'), Buffer.alloc(2_000)]);
  await expect(receive(body, { batch: 'batch', name: 'a.gif', length: 0 })).rejects.toMatchObject({
    code: 'validation',
    message: 'It is neither a GIF nor a WebP',
  });
  expect(fs.readdirSync(path.join(folder, 'batch'))).toEqual([]);
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

test("a member sees the pictures of the member's own files that were not refused", async () => {
  const sha256 = 'a'.repeat(64);
  const id = `${sha256}.gif`;
  const stranger = new Browser(service.url, PUBLIC_URL);
  members.add(stranger.pubkey);
  await Promise.all([member.signIn(), stranger.signIn()]);
  const see = async (browser = member) => (await browser.ask(`GET /uploads/files/${sha256}/picture`)).status;
  const upload = { sha256, pubkey: member.pubkey, bytes: 9, format: 'gif', run: 'run', at: 1 } as const;
  await recordUpload(gifs, upload, { files: 9, bytes: 9 });
  expect(await see()).toBe(404);
  const words = { title: '', tags: [], characters: [], series: [], text: '', alt: '', lang: '', adult: false };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 9, lqip: null } as const;
  const told = { url: null, popularity: 0, source: 'member', fallback: [], toldBy: 'run' };
  await recordGifs(gifs, [{ id, sha256, verified: 'file', ...words, ...facts, ...told }]);
  await setInReview(gifs, id, true);
  expect([await see(), await see(stranger)]).toEqual([200, 404]);
  await setHidden(gifs, id, true);
  expect(await see()).toBe(403);
});

test('a member deletes a file', async () => {
  await member.signIn();
  const sha256 = 'a'.repeat(64);
  expect((await member.ask(`DELETE /uploads/files/${sha256}`)).status).toBe(200);
  expect(deleteUpload.mock.calls).toEqual([[{ pubkey: member.pubkey, sha256, authorisation: undefined }]]);
});
