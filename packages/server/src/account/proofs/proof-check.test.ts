import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notifyOfExpiry } from '../../notices/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { ENGINES, type Engine } from '../../platform/testing/engines.ts';
import { Browser } from '../testing/browser.ts';
import { type Domains, HAS_OPENSSL, startDomains } from '../testing/domains.ts';
import { DASHBOARD_TABLES, PUBLIC_URL, startDashboard, TERMS_VERSION, type TestService } from '../testing/service.ts';
import { askDomain } from './nip05.ts';
import { checkProofs, keepCheckingProofs } from './proof-check.ts';

const DAY_MS = 86_400_000;
const WISP = { name: 'Wisp', description: '', homePage: '', contact: '', termsVersion: TERMS_VERSION };
const silence = new AbortController().signal;

for (const { name, start } of ENGINES) {
  describe.skipIf(!HAS_OPENSSL)(`domains that proved an origin, with ${name}`, () => {
    let engine: Engine;
    let domains: Domains;
    let db: Database;
    let service: TestService;
    let owner: Browser;
    let clientId: string;
    let warnings: string[];

    beforeAll(async () => {
      engine = await start();
      domains = await startDomains(['wisp.example', 'other.example']);
    });

    afterAll(async () => {
      domains.stop();
      await engine.stop();
    });

    beforeEach(async () => {
      db = await engine.open(DASHBOARD_TABLES);
      const admins = new Set<string>();
      service = await startDashboard(db, { admins, proof: domains.options });
      warnings = [];
      owner = new Browser(service.url, PUBLIC_URL);
      admins.add(owner.pubkey);
      await owner.signIn();
      clientId = (await owner.ask('POST /clients', WISP)).body.id;
      domains.name('wisp.example', { _: owner.pubkey });
      const { status } = await owner.ask(`POST /clients/${clientId}/origins`, { origin: 'https://*.wisp.example' });
      expect(status).toBe(200);
      return async () => {
        domains.answers.clear();
        await service.stop();
        await db.destroy();
      };
    });

    /**
     * Moves the clock by this number of days, and checks the domains once a day.
     * @returns the proof that the owner of the origin sees
     */
    async function pass(days: number) {
      for (let day = 0; day < days; day++) {
        service.time.ms += DAY_MS;
        await check();
      }
      // The session may have expired in the meantime.
      await owner.signIn({ now: service.time.ms });
      return (await owner.ask(`GET /clients/${clientId}`)).body.origins[0].proof;
    }

    function check(): Promise<void> {
      const log = pino({}, { write: (line: string) => void warnings.push(JSON.parse(line).origin) });
      const clock = { now: () => service.time.ms };
      const registry = async () => db;
      return checkProofs(
        { registry, log, clock, askDomain: (domain, who) => askDomain(domain, who, domains.options) },
        silence,
      );
    }

    const notices = async () =>
      (await owner.ask('GET /notices')).body.notices.map(({ text }: { text: string }) => text);

    test('that fail three times within a week are reported to the owner once', async () => {
      domains.name('wisp.example', {});
      await pass(2);
      expect(await notices()).toEqual([]);
      await pass(3);
      expect(await notices()).toEqual([
        expect.stringMatching(/^wisp\.example no longer verifies .* of Wisp: .*no_name|key/),
      ]);
    });

    test('keys that expire within three days are reported to the owner once', async () => {
      for (const days of [1, 2, 30]) await owner.ask(`POST /clients/${clientId}/keys`, { name: `key ${days}`, days });
      await notifyOfExpiry(db, service.time.ms);
      await notifyOfExpiry(db, service.time.ms);
      expect((await notices()).toSorted()).toEqual([
        expect.stringMatching(/^The key “key 1” of Wisp expires on 2026-01-02 00:00 UTC\./),
        expect.stringMatching(/^The key “key 2” of Wisp expires on 2026-01-03 00:00 UTC\./),
      ]);
      service.time.ms += 27 * DAY_MS;
      await notifyOfExpiry(db, service.time.ms);
      await owner.signIn({ now: service.time.ms });
      expect((await notices())[0]).toContain('“key 30”');
    });

    test('are checked while the service runs, and owners are notified of keys that expire', async () => {
      await owner.ask(`POST /clients/${clientId}/keys`, { name: 'phone', days: 4 });
      let asked = 0;
      const asks = Promise.withResolvers<void>();
      const checking = keepCheckingProofs({
        ...{
          registry: async () => db,
          log: pino({ level: 'silent' }),
          clock: { now: () => service.time.ms + 2 * DAY_MS },
        },
        async askDomain() {
          asked++;
          asks.resolve();
          return owner.pubkey;
        },
      });
      await asks.promise;
      await checking.stop();
      expect(asked).toBe(1);
      expect(await notices()).toEqual([expect.stringMatching(/^The key “phone” of Wisp expire/)]);
    });

    const doubtful = async () => (await owner.ask('GET /review')).body.doubtful;

    test('are checked once a day, and the owner sees when', async () => {
      let asked = 0;
      domains.answers.set('wisp.example', (_, response) => {
        asked++;
        response.end(JSON.stringify({ names: { _: owner.pubkey } }));
      });
      await check();
      expect(asked).toBe(0);
      expect(await pass(1)).toEqual({ proven: true, reason: '', checkedAt: service.time.ms });
      // If two processes check at the same time, only one request is sent.
      service.time.ms += DAY_MS;
      await Promise.all([check(), check()]);
      expect(asked).toBe(2);
    });

    test('that fail three times in a week are shown to operators, and the origin stays', async () => {
      domains.name('wisp.example', { _: 'cd'.repeat(32) });
      expect(await pass(1)).toMatchObject({
        proven: false,
        reason: expect.stringContaining('does not belong to an owner'),
      });
      domains.answers.delete('wisp.example');
      expect(await pass(1)).toMatchObject({ proven: false, reason: expect.stringContaining('status 200') });
      expect(await doubtful()).toEqual([]);
      await pass(1);
      const expected = { origin: 'https://*.wisp.example', clientId, clientName: 'Wisp', checkedAt: service.time.ms };
      expect(await doubtful()).toEqual([{ ...expected, reason: expect.stringContaining('status 200') }]);
      expect(warnings).toEqual(['https://*.wisp.example']);
      await pass(1);
      expect(warnings).toHaveLength(1);
      expect((await owner.ask(`GET /clients/${clientId}`)).body).toMatchObject({ state: 'approved', origins: [{}] });

      domains.name('wisp.example', { _: owner.pubkey });
      expect(await pass(1)).toMatchObject({ proven: true });
      expect(await doubtful()).toEqual([]);
    });

    test('that fail occasionally are not shown to operators', async () => {
      for (let week = 0; week < 3; week++) {
        domains.answers.delete('wisp.example');
        await pass(2);
        domains.name('wisp.example', { _: owner.pubkey });
        await pass(6);
      }
      domains.answers.delete('wisp.example');
      expect(await pass(1)).toMatchObject({ proven: false });
      expect(await doubtful()).toEqual([]);
      expect(warnings).toEqual([]);
    });

    test('can name any owner; origins approved by an operator are not checked', async () => {
      const { items } = (await owner.ask('GET /review')).body;
      expect(items).toEqual([]);
      const asked = await owner.ask(`POST /clients/${clientId}/origins`, { origin: 'https://other.example' });
      const [{ id }] = asked.body.requests;
      await owner.ask(`POST /review/requests/${id}/approve`);
      const friend = new Browser(service.url, PUBLIC_URL);
      await friend.signIn();
      const { npub } = (await friend.ask('GET /account')).body;
      await owner.ask(`POST /clients/${clientId}/owners`, { who: npub });
      const [invitation] = (await friend.ask('GET /clients')).body.invitations;
      await friend.ask(`POST /invitations/${invitation.id}/accept`);
      domains.name('wisp.example', { _: friend.pubkey });
      expect(await pass(1)).toMatchObject({ proven: true });
      const { origins } = (await owner.ask(`GET /clients/${clientId}`)).body;
      expect(origins[1]).toMatchObject({ origin: 'https://other.example', proof: null });
    });
  });
}
