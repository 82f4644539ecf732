import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDashboardLimit, SharedLimiter } from '../../limits/index.ts';
import { type Database, openDatabase } from '../../platform/db/index.ts';
import { Browser } from '../testing/browser.ts';
import { PUBLIC_URL, startDashboard, TERMS_VERSION, type TestService } from '../testing/service.ts';
import { ProofError } from './nip05.ts';

const WISP = { name: 'Wisp', description: '', homePage: '', contact: '', termsVersion: TERMS_VERSION };

const askDomain = vi.fn(async (domain: string): Promise<string> => {
  throw new ProofError('no_such_host', `https://${domain}`);
});
let db: Database;
let service: TestService;
let owner: Browser;
/** Path of the owner's client. */
let client: string;

beforeEach(async () => {
  askDomain.mockClear();
  db = openDatabase(':memory:');
  const clock = { now: () => Date.UTC(2026, 0, 1) };
  const limit = createDashboardLimit({ enabled: 'on' }, new SharedLimiter(clock, clock.now()));
  service = await startDashboard(db, { limit, askDomain });
  owner = new Browser(service.url, PUBLIC_URL);
  await owner.signIn();
  client = `/clients/${(await owner.ask('POST /clients', WISP)).body.id}`;
});

afterEach(async () => {
  await service.stop();
  await db.destroy();
});

test('a person can have ten domains asked per hour, for origins and for other people', async () => {
  let { body } = await owner.ask(`POST ${client}/origins`, { origin: 'https://wisp.example' });
  const { id, proof } = body.requests[0];
  expect(proof.reason).toContain('does not exist');
  for (let n = 0; n < 10; n++) body = (await owner.ask(`POST ${client}/requests/${id}/proof`)).body;
  expect(body.requests[0].proof).toMatchObject({ proven: false, reason: expect.stringContaining('More than 10') });
  const invited = await owner.ask(`POST ${client}/owners`, { who: 'ann@friends.example' });
  expect(invited).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(askDomain).toHaveBeenCalledTimes(10);
});

test('a domain that does not name the invited person is named in the error', async () => {
  const { status, body } = await owner.ask(`POST ${client}/owners`, { who: ' Ann@Friends.example ' });
  expect([status, body.error.message]).toEqual([400, 'who: https://friends.example: the host does not exist']);
  expect(askDomain).toHaveBeenCalledExactlyOnceWith('friends.example', 'ann');
});

test('only origins can be proven', async () => {
  const { body } = await owner.ask(`POST ${client}/user-agents`, { pattern: 'WispApp/*' });
  const proven = await owner.ask(`POST ${client}/requests/${body.requests[0].id}/proof`);
  expect(proven).toMatchObject({ status: 400, body: { error: { code: 'validation' } } });
  expect((await owner.ask(`GET ${client}`)).body).toMatchObject({ requests: [{ proof: null }], userAgents: [] });
  expect(askDomain).not.toHaveBeenCalled();
});
