import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listReports, moderate, undoMove } from '../../packages/server/src/moderation/index.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { writeFiles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const folder = temporaryFolder();
const data = `${folder.path}/data`;
const env = { ZOETROPE_THREADS: '1', ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };
let server: Server;
let gif: { id: string; url: string };

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeFiles);
  server = await startServer(data, { ...env, ZOETROPE_RATES: '' });
  const { items } = (await (await server.get('/api/v1/search?q=harbour')).json()) as { items: [typeof gif] };
  [gif] = items;
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

function send(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams(fields);
  return fetch(`${server.url}/report`, { method: 'POST', body, headers, redirect: 'manual' });
}

test('each GIF has the form, which shows the GIF and names missing fields', async () => {
  const page = await (await fetch(`${server.url}/g/${gif.id.slice(0, -4)}`)).text();
  expect(page).toContain(`<input type="hidden" name="gif" value="${gif.id}">`);
  const form = await fetch(`${server.url}/report?gif=${gif.id}`);
  const html = await form.text();
  expect(html).toContain(`value="${gif.id}"`);
  expect(html).toContain('alt="quiet &#34;harbour&#34;"');
  expect(form.headers.get('set-cookie')).toBeNull();
  for (const [fields, problem] of [
    [{ gif: '', reason: 'other', message: 'x' }, 'Enter the URL or id'],
    [{ gif: gif.id, reason: 'toString', message: 'x' }, 'Choose what is wrong'],
    [{ gif: gif.id, reason: 'copyright', message: ' ' }, 'Say in a few words'],
    [{ gif: gif.id, reason: 'other', message: '<b>'.repeat(1_000) }, 'at most 2000'],
    [{ gif: gif.id, reason: 'other', message: 'a\u001b[2J' }, 'must not contain control characters'],
    [{ gif: gif.id, reason: 'illegal', contact: 'a\nb' }, 'must be on one line'],
    [{ gif: 'nobody.gif"><b>', reason: 'illegal' }, 'no such GIF'],
  ] as const) {
    const refused = await send(fields);
    const answer = await refused.text();
    expect([refused.status, answer.includes(problem), answer.includes('<b>')]).toEqual([400, true, false]);
  }
  const foreign = await send({ gif: gif.id, reason: 'illegal' }, { 'sec-fetch-site': 'cross-site' });
  expect(foreign.status).toBe(403);
  expect((await send({ gif: gif.id, reason: 'other', message: 'x'.repeat(20_000) })).status).toBe(400);
});

test('a report as a signed event is saved without the public key', async () => {
  const key = generateSecretKey();
  const tags = [['x', gif.id.slice(0, -4), 'spam']];
  const event = finalizeEvent({ kind: 1984, created_at: 1, content: 'Seen too often.', tags }, key);
  const put = (body: object) => fetch(`${server.url}/report`, { method: 'PUT', body: JSON.stringify(body) });
  const forged = await put({ ...event, content: 'x' });
  expect([forged.status, forged.headers.get('x-reason')]).toEqual([400, 'id or sig is not valid']);
  const taken = await put(event);
  expect([taken.status, taken.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  const { db } = await openStore(data);
  const reports = await listReports(db, { gif: gif.id });
  await db.destroy();
  expect(reports).toMatchObject([{ reason: 'other', message: 'Seen too often.', reporter: 'form', contact: '' }]);
  expect(JSON.stringify(reports)).not.toContain(event.pubkey);
});

test('a report is saved for the operator, and reports per IP address are limited', async () => {
  const report = { gif: gif.url, reason: 'copyright', message: 'I drew it.\r\nIn 2019.', contact: 'me@example.com' };
  const taken = await send(report);
  expect([taken.status, taken.headers.get('location')]).toEqual([303, '/report?sent=1']);
  expect(await (await fetch(`${server.url}/report?sent=1`)).text()).toContain('Thank you');
  const listed = await zoetrope(data, ['reports'], env);
  expect(listed.stdout).toContain(`${gif.id}  copyright, by form\n  contact: me@example.com\n  I drew it.\n  In 2019.`);
  const statuses: number[] = [];
  while (statuses.length < 12) statuses.push((await send({ gif: gif.id, reason: 'illegal' })).status);
  expect(statuses).toContain(303);
  expect(statuses.at(-1)).toBe(429);
});

test('a decision about a GIF closes its reports, and undoing it reopens them', async () => {
  const { db } = await openStore(data);
  const open = async () => (await listReports(db, { gif: gif.id, state: 'open' })).length;
  const before = await open();
  const hidden = await moderate(db, { actor: 'somebody', now: 1 }, gif.id, { action: 'hide' });
  const during = await open();
  await undoMove(db, { actor: 'somebody', now: 2 }, hidden!.seq);
  const after = await open();
  await db.destroy();
  expect(before).toBeGreaterThan(1);
  expect([during, after]).toEqual([0, before]);
});
