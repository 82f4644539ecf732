import { ACCOUNT_ROUTES } from '@zoetrope/contract/account';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLookUp, recordUsage, UsageTally } from '../admission/index.ts';
import type { Database } from '../platform/db/index.ts';
import { ENGINES, type Engine } from '../platform/testing/engines.ts';
import { listAudit, tables } from '../registry/index.ts';
import type { Payments } from './payments.ts';
import { tables as accountTables } from './tables.ts';
import { type Answer, Browser } from './testing/browser.ts';
import { type Domains, HAS_OPENSSL, startDomains } from './testing/domains.ts';
import { DASHBOARD_TABLES, PUBLIC_URL, startDashboard, TERMS_VERSION, type TestService } from './testing/service.ts';

const WISP = {
  name: 'Wisp',
  description: 'A client for notes.\n\nIt is free.',
  homePage: 'https://wisp.example',
  contact: 'wisp@example.com',
  termsVersion: TERMS_VERSION,
};

const twenty = (letter: string) => Array.from({ length: 20 }, (_, n) => `${letter}${n}.example`);
const DOMAINS = ['wisp.example', 'xn--bcher-kva.example', 'friends.example', ...twenty('o'), ...twenty('p')];

const limited = { status: 409, body: { error: { code: 'limit_reached' } } };
const conflict = { status: 409, body: { error: { code: 'conflict' } } };
const missing = { status: 404, body: { error: { code: 'not_found' } } };
const forbidden = { status: 403, body: { error: { code: 'forbidden' } } };
const invalid = (field: string) => ({
  status: 400,
  body: { error: { code: 'validation', message: expect.stringContaining(field) } },
});

for (const { name, start } of ENGINES) {
  describe(`clients in the dashboard, with ${name}`, () => {
    let engine: Engine;
    let domains: Domains | undefined;
    let db: Database;
    let service: TestService;
    let owner: Browser;
    let admins: Set<string>;

    beforeAll(async () => {
      engine = await start();
      domains = HAS_OPENSSL ? await startDomains(DOMAINS) : undefined;
    });

    afterAll(async () => {
      domains?.stop();
      await engine.stop();
    });

    beforeEach(async () => {
      db = await engine.open(DASHBOARD_TABLES);
      admins = new Set();
      // In tests without web servers, no host name resolves, so no request leaves this machine.
      const nowhere = { resolve: ((_: string, __: object, done: (e: null, a: []) => void) => done(null, [])) as never };
      service = await startDashboard(db, { admins, proof: domains?.options ?? nowhere });
      owner = await person();
    });

    afterEach(async () => {
      domains?.answers.clear();
      await service.stop();
      await db.destroy();
    });

    async function person(): Promise<Browser> {
      const browser = new Browser(service.url, PUBLIC_URL);
      expect((await browser.signIn()).status).toBe(200);
      return browser;
    }

    async function newClient(browser = owner, over = {}): Promise<string> {
      const { status, body } = await browser.ask('POST /clients', { ...WISP, ...over });
      expect(status).toBe(200);
      return body.id;
    }

    /**
     * Sends 20 requests at the same time.
     * @returns how many requests were accepted. The other requests must be refused as `limited`.
     */
    async function race(ask: (n: number) => Promise<Answer>): Promise<number> {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n)));
      for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(limited);
      return answers.filter(({ status }) => status === 200).length;
    }

    test('are registered, changed and deleted by their owner, and hidden from others', async () => {
      const clientId = await newClient();
      const { termsVersion, ...details } = WISP;
      const shown = { ...details, id: clientId, state: 'approved', owners: [{ pubkey: owner.pubkey }] };
      expect(await owner.ask(`GET /clients/${clientId}`)).toMatchObject({ status: 200, body: shown });
      expect(await tables(db).selectFrom('clients').selectAll().execute()).toMatchObject([
        { termsVersion, termsAt: service.time.ms, termsPubkey: owner.pubkey },
      ]);
      expect((await owner.ask('GET /clients')).body).toMatchObject({ clients: [{ id: clientId, name: 'Wisp' }] });
      const changed = await owner.ask(`PATCH /clients/${clientId}`, { name: 'Wisp 2', contact: '' });
      expect(changed.body).toMatchObject({ name: 'Wisp 2', contact: '', homePage: WISP.homePage });
      expect(await owner.ask(`PATCH /clients/${clientId}`, {})).toMatchObject({
        status: 200,
        body: { name: 'Wisp 2' },
      });
      const stranger = await person();
      const ways = ['GET', 'PATCH', 'DELETE'].map((method) => `${method} /clients/${clientId}`);
      const more = ['origins', 'keys', 'user-agents', 'owners'].map((what) => `POST /clients/${clientId}/${what}`);
      for (const route of [...ways, ...more, `GET /clients/${clientId}/usage`, `POST /clients/${clientId}/invoice`]) {
        const body = { name: 'x', origin: 'https://a.example', pattern: 'Wisp/1.0*', who: owner.pubkey };
        const field = { PATCH: ['name'], DELETE: ['name'] }[route.split(' ')[0]!] ?? [
          { origins: 'origin', keys: 'name', 'user-agents': 'pattern', owners: 'who' }[route.split('/').at(-1)!] ?? '',
        ];
        const sent = Object.fromEntries(Object.entries(body).filter(([key]) => field.includes(key)));
        expect(await stranger.ask(route, sent), route).toMatchObject(missing);
      }
      expect(await owner.ask(`DELETE /clients/${clientId}`, { name: 'Wisp' })).toMatchObject(invalid('name'));
      expect((await owner.ask(`DELETE /clients/${clientId}`, { name: 'Wisp 2' })).body).toEqual({});
      expect((await owner.ask('GET /clients')).body).toEqual({ clients: [], invitations: [], handovers: [] });
      const npub = (await owner.ask('GET /account')).body.npub;
      const audit = await listAudit(db, clientId);
      expect(audit.map(({ action, actor }) => [action, actor])).toEqual([
        ['client create', npub],
        ['client change', npub],
        ['client change', npub],
        ['client delete', npub],
      ]);
    });

    test.each([
      [{ name: '' }, 'name'],
      [{ name: 'a\nb' }, 'name'],
      [{ name: 'a\u202eb' }, 'name'],
      [{ description: 'one\ntwo\u001b[2J' }, 'description'],
      [{ contact: 'a\u001b]0;b' }, 'contact'],
      [{ homePage: 'javascript:alert(1)' }, 'homePage'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ description: 'x'.repeat(501) }, 'description'],
      [{ homePage: `https://${'x'.repeat(193)}` }, 'homePage'],
      [{ contact: 'x'.repeat(201) }, 'contact'],
      [{ contact: 5 }, 'contact'],
      [{ admin: true }, ''],
    ])('are not registered with %j', async (over, field) => {
      expect(await owner.ask('POST /clients', { ...WISP, ...over })).toMatchObject(invalid(field));
    });

    test('have keys that expire, and that only their owners rotate', async () => {
      const clientId = await newClient();
      const keys = `POST /clients/${clientId}/keys`;
      const { id } = (await owner.ask(keys, { name: 'phone', days: 30 })).body;
      for (const days of [0, 3_651, 1.5, '30']) {
        expect(await owner.ask(keys, { name: 'phone', days })).toMatchObject(invalid('days'));
      }
      const rotation = `${keys}/${id}/rotation`;
      expect(await owner.ask(rotation, { overlapDays: 91 })).toMatchObject(invalid('overlapDays'));
      expect(await (await person()).ask(rotation, {})).toMatchObject(missing);
      expect(await owner.ask(`${keys}/nothing/rotation`, {})).toMatchObject(missing);
      const made = (await owner.ask(rotation, {})).body;
      expect(made).toEqual({ id: expect.any(String), name: 'phone', key: expect.stringMatching(/^zoe_/) });
      const shown = (await owner.ask(`GET /clients/${clientId}`)).body.keys;
      const week = service.time.ms + 7 * 86_400_000;
      expect(shown).toMatchObject([
        { id, expiresAt: week },
        { id: made.id, expiresAt: null },
      ]);
    });

    test('do not give access to the items of other clients: each item is reached only through its own client', async () => {
      const operator = await person();
      admins.add(operator.pubkey);
      const theirs = await newClient();
      await owner.ask(`POST /clients/${theirs}/keys`, { name: 'phone' });
      await owner.ask(`POST /clients/${theirs}/user-agents`, { pattern: 'Wisp/1*' });
      await owner.ask(`POST /clients/${theirs}/origins`, { origin: 'https://unproven.example' });
      for (const { id } of (await operator.ask('GET /review')).body.items) {
        await operator.ask(`POST /review/requests/${id}/approve`);
      }
      await owner.ask(`POST /clients/${theirs}/origins`, { origin: 'https://other.unproven.example' });
      const before = (await owner.ask(`GET /clients/${theirs}`)).body;
      const stranger = await person();
      const own = await newClient(stranger);
      const items = Object.values(ACCOUNT_ROUTES).flatMap((route) => {
        const [, kind, name] = /:clientId\/([a-z-]+)\/:(\w+)/.exec(route) ?? [];
        return kind === undefined ? [] : [{ route, name: name!, list: kind === 'user-agents' ? 'userAgents' : kind }];
      });
      expect(new Set(items.map(({ list }) => list)).size).toBe(5);
      for (const { route, name, list } of items) {
        const asked = route.replace(':clientId', own).replace(`:${name}`, before[list][0].id);
        expect(await stranger.ask(asked), route).toMatchObject(missing);
      }
      expect((await owner.ask(`GET /clients/${theirs}`)).body).toEqual(before);
    });

    test('require the current terms', async () => {
      expect(await owner.ask('POST /clients', { ...WISP, termsVersion: '0' })).toMatchObject(conflict);
    });

    test('keep working when the terms change, and accept them again without paying', async () => {
      const clientId = await newClient();
      const { key } = (await owner.ask(`POST /clients/${clientId}/keys`, { name: 'phone' })).body;
      const before = service;
      const fee = { fee: () => ({ sats: 1_000, provider: 'test' }) } as Payments;
      service = await startDashboard(db, {
        payments: fee,
        operator: { name: 'Another', url: 'https://another.example' },
      });
      await before.stop();
      owner = new Browser(service.url, PUBLIC_URL);
      const other = await person();
      const { version } = (await other.ask('GET /site')).body.terms;
      expect(version).not.toBe(TERMS_VERSION);
      const now = Date.now();
      await tables(db).updateTable('owners').set({ pubkey: other.pubkey }).where('clientId', '=', clientId).execute();
      const asked = (await other.ask(`GET /clients/${clientId}`)).body;
      expect(asked).toMatchObject({ state: 'approved', terms: { version: TERMS_VERSION } });
      expect(asked.terms.acceptedAt).toBeLessThanOrEqual(now);
      expect(await createLookUp(db)({ kind: 'key', value: key })).toMatchObject({ client: { id: clientId } });
      expect((await other.ask(`PATCH /clients/${clientId}`, { name: 'Wisp 2' })).status).toBe(200);
      const route = `POST /clients/${clientId}/terms`;
      expect(await other.ask(route, { termsVersion: TERMS_VERSION })).toMatchObject(conflict);
      expect(await (await person()).ask(route, { termsVersion: version })).toMatchObject(missing);
      const accepted = await other.ask(route, { termsVersion: version });
      expect(accepted).toMatchObject({ status: 200, body: { state: 'approved', terms: { version } } });
      expect((await listAudit(db, clientId)).at(-1)).toMatchObject({
        action: 'client terms',
        subject: `${TERMS_VERSION} to ${version}`,
      });
      const kept = await accountTables(db).selectFrom('terms').selectAll().execute();
      expect(new Map(kept.map((row) => [row.version, JSON.parse(row.shown).operator.name]))).toEqual(
        new Map([
          [TERMS_VERSION, 'Example'],
          [version, 'Another'],
        ]),
      );
      expect(await tables(db).selectFrom('clients').select(['termsPubkey', 'state']).executeTakeFirst()).toEqual({
        termsPubkey: other.pubkey,
        state: 'approved',
      });
    });

    test('stay within the limit when 20 requests race for the last place', async () => {
      const clients = await race((n) => owner.ask('POST /clients', { ...WISP, name: `c${n}` }));
      expect(clients).toBe(5);
      const clientId = (await owner.ask('GET /clients')).body.clients[0].id;
      const at = `/clients/${clientId}`;
      expect(await race((n) => owner.ask(`POST ${at}/keys`, { name: `k${n}` }))).toBe(10);
      expect(await race((n) => owner.ask(`POST ${at}/user-agents`, { pattern: `Wisp ${n}/*` }))).toBe(10);
      const { body } = await owner.ask(`GET ${at}`);
      expect(body.keys).toHaveLength(10);
      expect(body.requests).toHaveLength(10);
      expect(await owner.ask(`POST ${at}/owners`, { who: 'ab'.repeat(32) })).toMatchObject(limited);
    });

    test.each([
      'https://*.github.io',
      'https://*.co.uk',
      'http://wisp.example',
      'https://wisp.example/path',
      'https://127.0.0.1',
      'https://2130706433',
      'https://[::1]',
      'null',
      'https://wisp.example.',
      'https://wisp',
      'https://a@wisp.example',
    ])('cannot have the origin %s', async (origin) => {
      const clientId = await newClient();
      expect(await owner.ask(`POST /clients/${clientId}/origins`, { origin })).toMatchObject(invalid('origin'));
    });

    test('have keys that are shown once', async () => {
      const clientId = await newClient();
      const made = await owner.ask(`POST /clients/${clientId}/keys`, { name: 'phone' });
      expect(made.body.key).toMatch(/^zoe_/);
      const shown = await owner.ask(`GET /clients/${clientId}`);
      expect(shown.body.keys).toMatchObject([{ id: made.body.id, name: 'phone', lastUsedAt: null }]);
      expect(JSON.stringify(shown.body)).not.toContain(made.body.key);
      for (const table of ['keys', 'audit'] as const) {
        expect(JSON.stringify(await tables(db).selectFrom(table).selectAll().execute())).not.toContain(made.body.key);
      }
      const lookUp = createLookUp(db);
      expect(await lookUp({ kind: 'key', value: made.body.key })).toMatchObject({ client: { id: clientId } });
      const other = await newClient(await person());
      expect(await owner.ask(`DELETE /clients/${other}/keys/${made.body.id}`)).toMatchObject(missing);
      const revoked = await owner.ask(`DELETE /clients/${clientId}/keys/${made.body.id}`);
      expect(revoked.body.keys).toEqual([]);
      expect(await lookUp({ kind: 'key', value: made.body.key })).toBeNull();
    });

    test('see their usage by day, by operation, and by origin, key or User-Agent', async () => {
      const clientId = await newClient();
      const { id: wayId } = (await owner.ask(`POST /clients/${clientId}/keys`, { name: 'phone' })).body;
      const client = { id: clientId };
      const tally = new UsageTally();
      const { ms } = service.time;
      for (const use of ['kept', 'made', 'refused', 'limited', 'kept'] as const) tally.count(client, 'search', use, ms);
      tally.count(client, 'suggest', 'made', ms - 29 * 86_400_000);
      tally.count(client, 'suggest', 'made', ms - 30 * 86_400_000);
      tally.count({ id: 'nobody', wayId: 'nothing' }, 'search', 'made', ms);
      await recordUsage(db, tally.take(), ms);
      tally.count({ ...client, wayId }, 'search', 'made', ms);
      await recordUsage(db, tally.take(), ms);
      expect(tally.take()).toEqual([]);
      expect((await owner.ask(`GET /clients/${clientId}/usage`)).body).toEqual({
        days: [
          { day: '2026-01-01', operation: 'search', requests: 6, kept: 2, refused: 1, limited: 1 },
          { day: '2025-12-03', operation: 'suggest', requests: 1, kept: 0, refused: 0, limited: 0 },
        ],
        ways: [
          {
            ...{ day: '2026-01-01', operation: 'search', requests: 1, kept: 0, refused: 0, limited: 0 },
            ...{ wayId, kind: 'key', name: 'phone' },
          },
        ],
      });
    });

    test('have at least one owner, and get further owners only by an accepted invitation', async () => {
      const clientId = await newClient();
      const [friend, other] = [await person(), await person()];
      const { npub } = (await friend.ask('GET /account')).body;
      const invited = await owner.ask(`POST /clients/${clientId}/owners`, { who: npub });
      expect(invited.body.requests).toMatchObject([{ kind: 'owner', value: npub, proof: null }]);
      const { id } = invited.body.requests[0];
      expect((await friend.ask('GET /clients')).body.invitations).toMatchObject([{ id, clientName: 'Wisp' }]);
      expect(await other.ask(`POST /invitations/${id}/accept`)).toMatchObject(forbidden);
      expect((await friend.ask(`POST /invitations/${id}/accept`)).body.clients).toMatchObject([{ id: clientId }]);
      const { owners } = (await friend.ask(`GET /clients/${clientId}`)).body;
      const [first, second] = [owner, friend].map(
        ({ pubkey }) => owners.find((o: { pubkey: string }) => o.pubkey === pubkey).id,
      );
      expect((await owner.ask(`DELETE /clients/${clientId}/owners/${first}`)).body).toEqual({});
      expect(await owner.ask(`GET /clients/${clientId}`)).toMatchObject(missing);
      expect(await friend.ask(`DELETE /clients/${clientId}/owners/${second}`)).toMatchObject(conflict);
      const again = await friend.ask(`POST /clients/${clientId}/owners`, { who: other.pubkey });
      await other.ask(`POST /invitations/${again.body.requests[0].id}/decline`);
      expect((await friend.ask(`GET /clients/${clientId}`)).body).toMatchObject({
        requests: [],
        rejections: [{ kind: 'owner', reason: 'Declined by the invited person' }],
      });
      // Only an operator's rejection causes a notice. Here, the invited person declined.
      expect((await friend.ask('GET /notices')).body.notices).toEqual([]);
      expect(await friend.ask(`POST /clients/${clientId}/owners`, { who: 'nobody' })).toMatchObject(invalid('who'));
    });

    test('get the items that operators approve, and the reasons for those they reject', async () => {
      const clientId = await newClient();
      const operator = await person();
      expect(await operator.ask('GET /review')).toMatchObject(forbidden);
      admins.add(operator.pubkey);
      await owner.ask(`POST /clients/${clientId}/user-agents`, { pattern: 'WispApp/*' });
      service.time.ms++;
      await owner.ask(`POST /clients/${clientId}/user-agents`, { pattern: 'WispTwo/*' });
      await owner.ask(`POST /clients/${clientId}/owners`, { who: operator.pubkey });
      const { items } = (await operator.ask('GET /review')).body;
      expect(items).toMatchObject([
        { kind: 'user-agent', value: 'WispApp/*', clientId, clientName: 'Wisp', homePage: WISP.homePage },
        { kind: 'user-agent', value: 'WispTwo/*' },
      ]);
      expect(await owner.ask(`POST /review/requests/${items[0].id}/approve`)).toMatchObject(forbidden);
      await operator.ask(`POST /review/requests/${items[0].id}/approve`);
      const left = await operator.ask(`POST /review/requests/${items[1].id}/reject`, { reason: 'That is everybody' });
      expect(left.body).toEqual({ items: [], doubtful: [] });
      const { body } = await owner.ask(`GET /clients/${clientId}`);
      expect(body).toMatchObject({
        userAgents: [{ pattern: 'WispApp/*' }],
        rejections: [{ value: 'WispTwo/*', reason: 'That is everybody', at: service.time.ms }],
      });
      const invitation = body.requests[0].id;
      expect(await operator.ask(`POST /review/requests/${invitation}/approve`)).toMatchObject(missing);
      service.time.ms += 30 * 86_400_000;
      await owner.signIn({ now: service.time.ms });
      expect((await owner.ask(`GET /clients/${clientId}`)).body.rejections).toEqual([]);
    });

    test('can be found by operators, suspended with a reason, and approved again', async () => {
      const clientId = await newClient(owner, { name: '100% Wisp' });
      admins.add(owner.pubkey);
      const { npub } = (await owner.ask('GET /account')).body;
      for (const q of ['0% wi', clientId, npub, owner.pubkey]) {
        const found = await owner.ask(`GET /review/clients?q=${encodeURIComponent(q)}`);
        expect(found.body, q).toEqual({
          clients: [expect.objectContaining({ id: clientId, owners: [npub] })],
          next: '',
        });
      }
      expect((await owner.ask('GET /review/clients?q=other')).body).toEqual({ clients: [], next: '' });
      const suspended = await owner.ask(`POST /review/clients/${clientId}/suspend`, { reason: 'No attribution' });
      expect(suspended.body).toMatchObject({ state: 'suspended', suspendedBecause: 'No attribution' });
      expect(await owner.ask(`POST /review/clients/${clientId}/suspend`, { reason: 'Again' })).toMatchObject(conflict);
      const back = await owner.ask(`POST /review/clients/${clientId}/approve`);
      expect(back.body).toMatchObject({ state: 'approved', suspendedBecause: '' });
      const { entries } = (await owner.ask(`GET /review/audit?client=${clientId}`)).body;
      expect(entries).toMatchObject([
        { action: 'client approve', subject: 'suspended to approved' },
        { action: 'client suspend', subject: 'approved to suspended: No attribution' },
        { action: 'client create' },
      ]);
      expect((await owner.ask('GET /review/orders')).body).toEqual({ orders: [] });
      expect(await owner.ask('POST /review/orders/none/note', { note: 'x' })).toMatchObject(missing);
    });

    test('get their own limit from an operator, with a reason, until it is removed', async () => {
      const clientId = await newClient();
      const { key } = (await owner.ask(`POST /clients/${clientId}/keys`, { name: 'phone' })).body;
      const operator = await person();
      const limit = { searchesPerMinute: 12, reason: 'many users' };
      const route = `POST /review/clients/${clientId}/limit`;
      expect(await owner.ask(route, limit)).toMatchObject(forbidden);
      admins.add(operator.pubkey);
      for (const searchesPerMinute of [0, 1.5, '12', undefined])
        expect(await operator.ask(route, { ...limit, searchesPerMinute })).toMatchObject(invalid('searchesPerMinute'));
      expect(await operator.ask(route, { searchesPerMinute: 12 })).toMatchObject(invalid('reason'));
      const lookUp = createLookUp(db);
      const own = async () => ((await lookUp({ kind: 'key', value: key })) as { client: object }).client;
      expect(await own()).not.toHaveProperty('searchesPerMinute');
      expect((await operator.ask(route, limit)).body).toMatchObject({ searchesPerMinute: 12 });
      expect(await own()).toHaveProperty('searchesPerMinute', 12);
      expect((await owner.ask(`GET /clients/${clientId}`)).body).toMatchObject({ searchesPerMinute: 12 });
      await operator.ask(route, { searchesPerMinute: null, reason: 'no longer' });
      expect(await own()).not.toHaveProperty('searchesPerMinute');
      const { entries } = (await operator.ask(`GET /review/audit?client=${clientId}&action=limit`)).body;
      expect(entries.map(({ subject }: { subject: string }) => subject)).toEqual([
        '12 to default: no longer',
        'default to 12: many users',
      ]);
      const texts = (await owner.ask('GET /notices')).body.notices.map(({ text }: { text: string }) => text);
      expect(texts).toContain('An operator set the limit of Wisp to 12 searches a minute: many users');
    });

    test('notify their owners, and nobody else, of the decisions of operators', async () => {
      const [friend, operator] = [await person(), await person()];
      admins.add(operator.pubkey);
      const clientId = await newClient();
      const textsOf = async (browser: Browser) =>
        (await browser.ask('GET /notices')).body.notices.map(({ text }: { text: string }) => text);
      for (const pattern of ['Wisp/1*', 'Wisp/2*']) {
        service.time.ms += 1_000;
        await owner.ask(`POST /clients/${clientId}/user-agents`, { pattern });
      }
      await owner.ask(`POST /clients/${clientId}/owners`, { who: friend.pubkey });
      const { items } = (await operator.ask('GET /review')).body;
      await operator.ask(`POST /review/requests/${items[0].id}/approve`);
      service.time.ms += 1_000;
      await operator.ask(`POST /review/requests/${items[1].id}/reject`, { reason: 'too wide' });
      service.time.ms += 1_000;
      await operator.ask(`POST /review/clients/${clientId}/suspend`, { reason: 'No attribution' });
      service.time.ms += 1_000;
      await operator.ask(`POST /review/clients/${clientId}/approve`);
      const told = [
        'An operator approved Wisp.',
        'An operator suspended Wisp: No attribution',
        'An operator rejected Wisp/2* for Wisp: too wide',
        'An operator approved Wisp/1* for Wisp.',
      ];
      expect(await textsOf(owner)).toEqual(told);
      expect(await textsOf(friend)).toEqual([]);
      expect((await owner.ask('GET /account')).body.unread).toBe(4);
      const [latest, second] = (await owner.ask('GET /notices')).body.notices;
      expect(latest).toMatchObject({ clientId, at: service.time.ms, isRead: false });
      await owner.ask('POST /notices/read', { until: second.at });
      expect((await owner.ask('GET /account')).body.unread).toBe(1);
      await owner.ask(`DELETE /clients/${clientId}`, { name: 'Wisp' });
      expect((await owner.ask('GET /notices')).body.notices[0]).toMatchObject({ clientId: '', text: told[0] });
      service.time.ms += 90 * 86_400_000;
      await owner.signIn({ now: service.time.ms });
      await operator.signIn({ now: service.time.ms });
      const other = await newClient(owner, { name: 'Other' });
      await operator.ask(`POST /review/clients/${other}/suspend`, { reason: 'spam' });
      expect(await textsOf(owner)).toEqual(['An operator suspended Other: spam']);
    });

    test('are found by names in all scripts', async () => {
      const clientId = await newClient(owner, { name: 'Übersicht ЗАП' });
      admins.add(owner.pubkey);
      for (const q of ['Übersicht', 'ÜBERSICHT ЗАП', 'ЗАП']) {
        const { body } = await owner.ask(`GET /review/clients?q=${encodeURIComponent(q)}`);
        expect(body.clients, q).toMatchObject([{ id: clientId }]);
        const audit = await owner.ask(`GET /review/audit?client=${encodeURIComponent(q)}`);
        expect(audit.body.entries, q).toMatchObject([{ action: 'client create', clientId }]);
      }
    });

    test('that are suspended can still be read by their owner, but not changed or replaced', async () => {
      const clientId = await newClient();
      const other = await newClient(owner, { name: 'Other' });
      const { id: keyId } = (await owner.ask(`POST /clients/${clientId}/keys`, { name: 'phone' })).body;
      const operator = await person();
      admins.add(operator.pubkey);
      await operator.ask(`POST /review/clients/${clientId}/suspend`, { reason: 'No attribution' });
      for (const [route, body] of [
        [`PATCH /clients/${clientId}`, { name: 'Wisp 2' }],
        [`DELETE /clients/${clientId}`, { name: 'Wisp' }],
        [`DELETE /clients/${clientId}/keys/${keyId}`, undefined],
        [`POST /clients/${clientId}/keys`, { name: 'tablet' }],
        [`POST /clients/${clientId}/origins`, { origin: 'https://wisp.example' }],
        [`POST /clients/${clientId}/user-agents`, { pattern: 'Wisp/1.0*' }],
        [`POST /clients/${clientId}/owners`, { who: operator.pubkey }],
        ['POST /clients', { ...WISP, name: 'Wisp 3' }],
      ] as const) {
        expect(await owner.ask(route, body), route).toMatchObject(conflict);
      }
      for (const path of ['', '/usage', '/invoice']) {
        expect((await owner.ask(`GET /clients/${clientId}${path}`)).status, path).not.toBe(409);
      }
      const { body } = await owner.ask(`POST /clients/${other}/origins`, { origin: 'https://wisp.example' });
      expect(body).toMatchObject({ origins: [], requests: [{ proof: { proven: false } }] });
      expect(body.requests[0].proof.reason).toContain('"Wisp" is suspended');
      await operator.ask(`POST /review/clients/${clientId}/approve`);
      expect((await owner.ask(`DELETE /clients/${clientId}`, { name: 'Wisp' })).body).toEqual({});
      await newClient(owner, { name: 'Wisp 3' });
    });

    test('have an audit log that operators can search, even after a client is deleted', async () => {
      const [kept, gone] = [await newClient(owner, { name: 'Kept' }), await newClient(owner, { name: 'Gone' })];
      expect((await owner.ask(`DELETE /clients/${gone}`, { name: 'Gone' })).status).toBe(200);
      const other = await person();
      await newClient(other, { name: 'Other' });
      for (let n = 0; n < 60; n++) await owner.ask(`PATCH /clients/${kept}`, { contact: `${n}` });
      expect(await owner.ask('GET /review/audit')).toMatchObject(forbidden);
      admins.add(owner.pubkey);
      const { npub } = (await other.ask('GET /account')).body;
      async function trail(query: string): Promise<string[]> {
        const { body } = await owner.ask(`GET /review/audit?${query}`);
        return body.entries.map((entry: Record<string, string>) => `${entry['clientName']} ${entry['action']}`);
      }
      expect(await trail(`client=${gone}`)).toEqual([' client delete', ' client create']);
      expect(await trail('client=gon')).toEqual([' client delete', ' client create']);
      expect(await trail(`actor=${npub}`)).toEqual(['Other client create']);
      expect(await trail(`actor=${other.pubkey}`)).toEqual(['Other client create']);
      expect(await trail('action=create')).toEqual(['Other client create', ' client create', 'Kept client create']);
      expect(await trail(`action=Create&actor=${owner.pubkey}&client=Kept`)).toEqual(['Kept client create']);
      expect(await trail('client=nobody')).toEqual([]);

      const first = (await owner.ask('GET /review/audit')).body;
      expect(first).toMatchObject({ entries: { length: 50 }, hasMore: true });
      const rest = (await owner.ask(`GET /review/audit?before=${first.entries.at(-1).id}`)).body;
      expect(rest).toMatchObject({ entries: { length: 14 }, hasMore: false });
      const ids = [...first.entries, ...rest.entries].map(({ id }: { id: number }) => id);
      expect(ids).toEqual(Array.from({ length: 64 }, (_, n) => ids[0]! - n));
      expect(await owner.ask('GET /review/audit?before=x')).toMatchObject(invalid('before'));
    });

    describe.skipIf(!HAS_OPENSSL)('and origins', () => {
      const add = (clientId: string, origin: string, browser = owner) =>
        browser.ask(`POST /clients/${clientId}/origins`, { origin });

      test('are approved if their domain names the user', async () => {
        domains!.name('wisp.example', { _: owner.pubkey });
        domains!.name('xn--bcher-kva.example', { _: owner.pubkey });
        const clientId = await newClient();
        expect((await add(clientId, 'https://*.wisp.example')).body).toMatchObject({
          origins: [{ origin: 'https://*.wisp.example' }],
          requests: [],
        });
        const idn = await add(clientId, 'HTTPS://BÜcher.Example/');
        expect(idn.body.origins).toMatchObject([{}, { origin: 'https://xn--bcher-kva.example' }]);
      });

      test('wait with a reason if their domain names another key or none, and can be verified again', async () => {
        domains!.name('wisp.example', { _: 'cd'.repeat(32) });
        const clientId = await newClient();
        const asked = (await add(clientId, 'https://wisp.example')).body;
        expect(asked).toMatchObject({
          origins: [],
          requests: [{ proof: { proven: false, checkedAt: service.time.ms } }],
        });
        expect(asked.requests[0].proof.reason).toContain('is not yours');
        domains!.answers.set('wisp.example', (_, response) => response.writeHead(301, { location: '/' }).end());
        const proof = `POST /clients/${clientId}/requests/${asked.requests[0].id}/proof`;
        expect((await owner.ask(proof)).body.requests[0].proof.reason).toContain('redirects');
        domains!.name('wisp.example', { _: owner.pubkey });
        expect((await owner.ask(proof)).body).toMatchObject({
          origins: [{ origin: 'https://wisp.example' }],
          requests: [],
        });
      });

      test('of another client cannot be taken over, even with a proof', async () => {
        domains!.name('wisp.example', { _: owner.pubkey });
        const clientId = await newClient();
        await add(clientId, 'https://wisp.example');
        const thief = await person();
        domains!.name('wisp.example', { _: thief.pubkey });
        expect(await add(await newClient(thief), 'https://wisp.example', thief)).toMatchObject(conflict);
        expect((await owner.ask(`GET /clients/${clientId}`)).body.origins).toHaveLength(1);
      });

      test('are limited to 20, and owners can be invited by their NIP-05 names', async () => {
        const clientId = await newClient();
        for (let n = 0; n < 18; n++) domains!.name(`o${n}.example`, { _: owner.pubkey });
        for (let n = 0; n < 18; n++) expect((await add(clientId, `https://o${n}.example`)).status).toBe(200);
        expect(await race((n) => add(clientId, `https://p${n}.example`))).toBe(2);
        domains!.name('friends.example', { ann: 'cd'.repeat(32) });
        const invited = await owner.ask(`POST /clients/${clientId}/owners`, { who: 'Ann@friends.example' });
        expect(invited.body.requests.map(({ kind }: { kind: string }) => kind)).toContain('owner');
        const nobody = await owner.ask(`POST /clients/${clientId}/owners`, { who: 'bob@friends.example' });
        expect(nobody).toMatchObject(invalid('who'));
      });
    });
  });
}
