import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { generateSecretKey, getPublicKey, type NostrEvent } from 'nostr-tools/pure';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDashboardLimit, SharedLimiter } from '../../limits/index.ts';
import { type Database, openDatabase } from '../../platform/db/index.ts';
import { ENGINES, type Engine } from '../../platform/testing/engines.ts';
import { tables } from '../tables.ts';
import { Browser, type LoginChanges } from '../testing/browser.ts';
import { DASHBOARD_TABLES, PUBLIC_URL, startDashboard, type TestService } from '../testing/service.ts';
import { createChallenge, takeChallenge } from './challenges.ts';

const U = `${PUBLIC_URL}/dashboard/api/auth/login`;
const DAY = 86_400_000;

/** Changes one field of a signed event. */
const change = (field: keyof NostrEvent, value: unknown) => ({
  event: (event: NostrEvent) => ({ ...event, [field]: value }),
});
const tag =
  (name: string, ...values: string[]) =>
  (tags: string[][]) => [...tags.filter(([other]) => other !== name), ...values.map((value) => [name, value])];

/** Invalid logins, each with the check that the login fails. */
const REFUSED: Record<string, { changes: LoginChanges; tags?: (tags: string[][]) => string[][]; check: string }> = {
  'of kind 22242, which also signs in': { changes: { template: { kind: 22_242 } }, check: 'bad_kind' },
  'that is a note': { changes: { template: { kind: 1 } }, check: 'bad_kind' },
  'with content': { changes: { template: { content: 'hello' } }, check: 'bad_content' },
  'from two minutes ago': { changes: { now: Date.UTC(2026, 0, 1) - 120_000 }, check: 'stale' },
  'from the future': { changes: { now: Date.UTC(2026, 0, 1) + 3_600_000 }, check: 'stale' },
  'whose time is a string': { changes: change('created_at', '1767225600'), check: 'stale' },
  'for another site': { changes: {}, tags: tag('u', U.replace('gifs', 'glfs')), check: 'bad_u' },
  'for the URL with a trailing slash': { changes: {}, tags: tag('u', `${U}/`), check: 'bad_u' },
  'for two URLs': { changes: {}, tags: tag('u', U, 'https://evil.example'), check: 'bad_u' },
  'without a URL': { changes: {}, tags: tag('u'), check: 'bad_u' },
  'for GET': { changes: {}, tags: tag('method', 'GET'), check: 'bad_method' },
  'without a payload': { changes: {}, tags: tag('payload'), check: 'bad_payload' },
  'for another payload': { changes: {}, tags: tag('payload', '0'.repeat(64)), check: 'bad_payload' },
  'with another pubkey': { changes: change('pubkey', getPublicKey(generateSecretKey())), check: 'bad_sig' },
  'whose tags were changed': {
    changes: { event: (event) => ({ ...event, tags: [...event.tags, ['t', 'x']] }) },
    check: 'bad_sig',
  },
  'with an id of zeros': { changes: change('id', '0'.repeat(64)), check: 'bad_sig' },
  'with a signature of zeros': { changes: change('sig', '0'.repeat(128)), check: 'bad_sig' },
  'with an extra field': { changes: change('extra' as 'id', true), check: 'bad_sig' },
  'in a header of 9 KB': { changes: { headers: { authorization: `Nostr ${'A'.repeat(9_000)}` } }, check: 'no_auth' },
  'with an empty Authorization header': { changes: { headers: { authorization: '' } }, check: 'no_auth' },
  'replaced by a bearer token': { changes: { headers: { authorization: 'Bearer abc' } }, check: 'no_auth' },
};

for (const { name, start } of ENGINES) {
  describe(`signing in, with ${name}`, () => {
    let engine: Engine;
    let db: Database;
    let service: TestService;
    let browser: Browser;

    beforeAll(async () => {
      engine = await start();
    });

    afterAll(() => engine.stop());

    beforeEach(async () => {
      db = await engine.open(DASHBOARD_TABLES);
      service = await startDashboard(db);
      browser = newBrowser();
    });

    afterEach(async () => {
      await service.stop();
      await db.destroy();
    });

    const newBrowser = () => new Browser(service.url, PUBLIC_URL);
    const refused = (check: string) => ({
      status: 401,
      body: { error: { code: 'login_refused', message: expect.stringMatching(`^${check}: `) } },
    });
    const forbidden = { status: 403, body: { error: { code: 'forbidden' } } };
    const signedOut = { status: 401, body: { error: { code: 'not_signed_in' } } };

    test('creates a session for the signer of the challenge, and stores no secret', async () => {
      expect(await browser.ask('GET /account')).toMatchObject(signedOut);
      const answer = await browser.signIn();
      expect(answer).toMatchObject({ status: 200, body: { pubkey: browser.pubkey, isOperator: false } });
      expect(answer.body.npub).toMatch(/^npub1/);
      const set = answer.headers.getSetCookie();
      expect(set[0]).toMatch(/^__Host-sid=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=604800$/);
      expect(set[1]).toMatch(/^__Host-pre=; .*SameSite=Strict; Max-Age=0$/);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await browser.ask('GET /account')).toMatchObject({ status: 200, body: answer.body });
      const kept = JSON.stringify(await tables(db).selectFrom('sessions').selectAll().execute());
      for (const secret of [...browser.cookies.values(), browser.csrf]) expect(kept).not.toContain(secret);
    });

    test.each(Object.entries(REFUSED))('refuses an event %s', async (_, { changes, tags, check }) => {
      const { body } = await browser.ask('POST /auth/challenge');
      const payload = createHash('sha256')
        .update(JSON.stringify({ challenge: body.challenge }))
        .digest('hex');
      const whole = [
        ['u', U],
        ['method', 'POST'],
        ['payload', payload],
      ];
      const template = { ...changes.template, ...(tags && { tags: tags(whole) }) };
      expect(await browser.ask(...browser.sign(body, { ...changes, template }))).toMatchObject(refused(check));
      expect(await browser.ask(...browser.sign(body))).toMatchObject({ status: 200 });
    });

    test.each(['Nostr !', `Nostr ${Buffer.from('{"kind"').toString('base64')}`, 'Nostr AAAA'])(
      'refuses garbage: %s',
      async (authorization) => {
        const answer = await browser.signIn({ headers: { authorization } });
        expect([400, 401]).toContain(answer.status);
        expect((await browser.signIn()).status).toBe(200);
      },
    );

    test('accepts an event once', async () => {
      const { body } = await browser.ask('POST /auth/challenge');
      const cookie = `__Host-pre=${browser.cookies.get('__Host-pre')}`;
      const [route, login, headers] = browser.sign(body);
      expect((await browser.ask(route, login, headers)).status).toBe(200);
      expect(await browser.ask(route, login, { ...headers, cookie })).toMatchObject(refused('bad_challenge'));
    });

    test('accepts a challenge once, even from 10 concurrent requests', async () => {
      const { body } = await browser.ask('POST /auth/challenge');
      const logins = Array.from({ length: 10 }, (_, n) => browser.sign(body, { now: service.time.ms - n * 1_000 }));
      const answers = await Promise.all(logins.map((login) => browser.ask(...login)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
      expect(await tables(db).selectFrom('sessions').selectAll().execute()).toHaveLength(1);
    });

    test('accepts a challenge once, even if its uses are checked at the same moment', async () => {
      const { ms } = service.time;
      const created = await createChallenge(db, ms);
      const uses = Array.from({ length: 10 }, () => takeChallenge(db, created, ms));
      const settled = await Promise.allSettled(uses);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('accepts a challenge only in the browser that requested it', async () => {
      const { body } = await browser.ask('POST /auth/challenge');
      const thief = newBrowser();
      await thief.ask('POST /auth/challenge');
      const login = browser.sign(body);
      expect(await thief.ask(...login)).toMatchObject(refused('wrong_browser'));
      expect((await browser.ask(...login)).status).toBe(200);
    });

    test('accepts only challenges that it has issued, and stores none of them', async () => {
      const { body } = await browser.ask('POST /auth/challenge');
      const count = async () => (await tables(db).selectFrom('seenEvents').select('id').execute()).length;
      expect(await count()).toBe(0);
      const [nonce, expiry, ...codes] = (body.challenge as string).split('.');
      const later = String(Number(expiry) + 60_000);
      for (const challenge of [
        [nonce, later, ...codes],
        ['0'.repeat(64), expiry, ...codes],
        [nonce, expiry, codes[1], codes[1]],
        [nonce, expiry, 'A'.repeat(43), codes[1]],
      ]) {
        const login = browser.sign({ ...body, challenge: challenge.join('.') });
        expect(await browser.ask(...login)).toMatchObject(refused('bad_challenge'));
      }
      expect(await browser.ask(...browser.sign({ ...body, challenge: '0'.repeat(64) }))).toMatchObject({ status: 400 });
      expect(await count()).toBe(0);
      expect((await browser.ask(...browser.sign(body))).status).toBe(200);
    });

    test('accepts a challenge for five minutes', async () => {
      const { body } = await browser.ask('POST /auth/challenge');
      service.time.ms += 300_001;
      const late = browser.ask(...browser.sign(body, { now: service.time.ms }));
      expect(await late).toMatchObject(refused('bad_challenge'));
    });

    test.each([
      ['from another origin', { origin: 'https://evil.example' }, 403],
      ['from a subdomain', { origin: 'https://x.gifs.example' }, 403],
      ['from plain http', { origin: 'http://gifs.example' }, 403],
      ['without an origin', { origin: '' }, 403],
      ['from another site', { 'sec-fetch-site': 'cross-site' }, 403],
      ['from another origin of the same site', { 'sec-fetch-site': 'same-site' }, 403],
      ['from an HTML form', { 'content-type': 'text/plain' }, 415],
      ['with a type that only starts like JSON', { 'content-type': 'application/jsonp' }, 415],
    ])('refuses a request %s without using up its challenge', async (_, headers, status) => {
      const { body } = await browser.ask('POST /auth/challenge');
      const [route, login, signed] = browser.sign(body);
      expect((await browser.ask(route, login, { ...signed, ...headers })).status).toBe(status);
      expect((await browser.ask(route, login, signed)).status).toBe(200);
    });

    test('uses the configured URL, regardless of the X-Forwarded-Host header', async () => {
      const { body } = await browser.ask('POST /auth/challenge', {}, { 'x-forwarded-host': 'evil.example' });
      expect(body.u).toBe(U);
      const forged = browser.sign({ ...body, u: U.replace('gifs.example', 'evil.example') });
      const headers = { ...forged[2], 'x-forwarded-host': 'evil.example' };
      expect(await browser.ask(forged[0], forged[1], headers)).toMatchObject(refused('bad_u'));
    });

    test('creates a new session each time, and can end any of them', async () => {
      const fixed = '__Host-sid=chosen-by-somebody-else';
      const { body } = await browser.ask('POST /auth/challenge');
      const [route, login, headers] = browser.sign(body);
      const cookie = `${fixed}; __Host-pre=${browser.cookies.get('__Host-pre')}`;
      browser.csrf = (await browser.ask(route, login, { ...headers, cookie, 'user-agent': 'x'.repeat(201) })).body.csrf;
      const first = browser.cookies.get('__Host-sid')!;
      expect(first).not.toBe('chosen-by-somebody-else');
      const firstCsrf = browser.csrf;
      await browser.signIn();
      expect(browser.cookies.get('__Host-sid')).not.toBe(first);
      const old = { cookie: `__Host-sid=${first}`, 'x-csrf-token': firstCsrf };
      const { sessions } = (await browser.ask('GET /account', {}, old)).body;
      expect(sessions).toHaveLength(2);
      expect(sessions.map(({ userAgent }: { userAgent: string }) => userAgent)).toContain('x'.repeat(200));
      const other = sessions.find(({ current }: { current: boolean }) => current);
      const stranger = newBrowser();
      await stranger.signIn();
      expect((await stranger.ask(`DELETE /account/sessions/${other.id}`)).status).toBe(404);
      expect((await browser.ask(`DELETE /account/sessions/${other.id}`)).status).toBe(200);
      expect(await browser.ask('GET /account', {}, old)).toMatchObject(signedOut);
      const last = { cookie: `__Host-sid=${browser.cookies.get('__Host-sid')}` };
      expect((await browser.ask('POST /account/sign-out')).status).toBe(200);
      expect(browser.cookies.has('__Host-sid')).toBe(false);
      expect(await browser.ask('GET /account', {}, last)).toMatchObject(signedOut);
    });

    test('ends after a day without use, or after seven days', async () => {
      await browser.signIn();
      service.time.ms += DAY - 1;
      expect((await browser.ask('GET /account')).status).toBe(200);
      for (let day = 2; day <= 6; day++) {
        service.time.ms += DAY - 1;
        expect((await browser.ask('GET /account')).status).toBe(200);
      }
      service.time.ms += DAY;
      expect(await browser.ask('GET /account')).toMatchObject(signedOut);
      await browser.signIn();
      service.time.ms += DAY;
      expect(await browser.ask('GET /account')).toMatchObject(signedOut);
    });

    test.each([
      ['without its token', { 'x-csrf-token': '' }],
      ['with a wrong token', { 'x-csrf-token': 'A'.repeat(43) }],
      ['from a sub-domain', { origin: 'https://x.gifs.example' }],
      ['from a page of the same site', { 'sec-fetch-site': 'same-site' }],
    ])('changes nothing for a request %s', async (_, headers) => {
      await browser.signIn();
      expect(await browser.ask('POST /account/sign-out', {}, headers)).toMatchObject(forbidden);
      expect((await browser.ask('GET /account', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
      expect((await browser.ask('GET /account')).status).toBe(200);
    });

    test('rejects bodies that are too long, not JSON, or of another type', async () => {
      const { body } = await browser.ask('POST /auth/challenge');
      const [route, , headers] = browser.sign(body);
      for (const long of [JSON.stringify({ challenge: 'x'.repeat(16_384) }), ' '.repeat(16_385)]) {
        expect(await browser.ask(route, long, headers)).toMatchObject({
          status: 400,
          body: { error: { code: 'validation' } },
        });
      }
      expect((await browser.ask('POST /nothing')).status).toBe(404);
    });
  });
}

test('signing in is limited for each IP address', async () => {
  const db = openDatabase(':memory:');
  const clock = { now: () => Date.UTC(2026, 0, 1) };
  const limit = createDashboardLimit({ enabled: 'on' }, new SharedLimiter(clock, clock.now()));
  const service = await startDashboard(db, { limit });
  const browser = new Browser(service.url, PUBLIC_URL);
  for (let n = 0; n < 60; n++) expect((await browser.ask('POST /auth/challenge')).status).toBe(200);
  const refused = await browser.ask('POST /auth/challenge');
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await service.stop();
  await db.destroy();
});

test('signing in is limited for each network, but not for operators', async () => {
  const db = openDatabase(':memory:');
  const clock = { now: () => Date.UTC(2026, 0, 1) };
  const limit = createDashboardLimit({ enabled: 'on' }, new SharedLimiter(clock, clock.now()));
  /** Number of a /64 network. All these networks are in one /56 network, whose limit is four times 60 sign-ins. */
  let network = 0;
  const addressOf = () => `20010db80001${network.toString(16).padStart(4, '0')}`;
  const operator = new Browser('', '');
  const service = await startDashboard(db, { limit, addressOf, admins: new Set([operator.pubkey]) });
  const signIn = (browser: object = {}) =>
    Object.assign(new Browser(service.url, PUBLIC_URL), { ...browser })
      .signIn()
      .then(({ status }) => status);
  const statuses = new Map<number, number>();
  for (; network < 250; network++) {
    const status = await signIn();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(statuses).toEqual(
    new Map([
      [200, 240],
      [429, 10],
    ]),
  );
  const { secretKey, pubkey } = operator;
  expect(await signIn({ secretKey, pubkey })).toBe(200);
  await service.stop();
  await db.destroy();
});

test('changes are limited for each person and IP address, but signing out is not', async () => {
  const db = openDatabase(':memory:');
  const clock = { now: () => Date.UTC(2026, 0, 1) };
  const limit = createDashboardLimit({ enabled: 'on' }, new SharedLimiter(clock, clock.now()));
  const service = await startDashboard(db, { limit });
  const person = new Browser(service.url, PUBLIC_URL);
  await person.signIn();
  const change = (browser: Browser) => browser.ask('DELETE /clients/none/keys/none');
  for (let n = 0; n < 120; n++) expect((await change(person)).status).toBe(404);
  expect(await change(person)).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect((await person.ask('GET /clients')).status).toBe(200);
  // The other people use the same IP address.
  const statuses = new Set<number>();
  for (let other = 0; other < 5; other++) {
    const browser = new Browser(service.url, PUBLIC_URL);
    await browser.signIn();
    for (let n = 0; n < 100; n++) statuses.add((await change(browser)).status);
  }
  expect([...statuses]).toEqual([404, 429]);
  expect((await person.ask('POST /account/sign-out')).status).toBe(200);
  await service.stop();
  await db.destroy();
});

test('signing in removes the sessions and events that have expired', async () => {
  const db = openDatabase(':memory:');
  const service = await startDashboard(db);
  const browser = new Browser(service.url, PUBLIC_URL);
  const all = (table: 'sessions' | 'seenEvents') => tables(db).selectFrom(table).select('id').execute();
  await browser.signIn();
  const { length } = await all('seenEvents');
  // A session ends after a day without use.
  for (const days of [8, 1]) {
    service.time.ms += days * DAY;
    await browser.signIn();
    expect(await all('sessions')).toHaveLength(1);
    expect(await all('seenEvents')).toHaveLength(length);
  }
  await service.stop();
  await db.destroy();
});

test('without the registry nobody can sign in, and the reason is reported', async () => {
  const db = openDatabase(':memory:');
  const registry = () => Promise.reject(new Error('it is away'));
  const service = await startDashboard(db, { registry });
  const browser = new Browser(service.url, PUBLIC_URL);
  browser.cookies.set('__Host-sid', 'any');
  for (const route of ['POST /auth/challenge', 'GET /account']) {
    const answer = await browser.ask(route);
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'registry_unavailable' } } });
    expect(answer.headers.get('retry-after')).toBe('10');
  }
  expect((await browser.ask('GET /site')).status).toBe(200);
  await service.stop();
  await db.destroy();
});

test('a session works although its time of last use cannot be saved, as on a full disk', async () => {
  const db = openDatabase(':memory:');
  const service = await startDashboard(db);
  const browser = new Browser(service.url, PUBLIC_URL);
  await browser.signIn();
  await sql`create trigger full before update on sessions begin select raise(fail, 'full'); end`.execute(db);
  service.time.ms += 600_000;
  expect((await browser.ask('GET /account')).status).toBe(200);
  await service.stop();
  await db.destroy();
});
