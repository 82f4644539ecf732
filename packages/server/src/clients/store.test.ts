import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  type Caller,
  createLookUp,
  type Identifier,
  listUsage,
  listUsageByWay,
  recordUsage,
  sumUsage,
  UsageTally,
} from '../admission/index.ts';
import {
  addOrigin,
  addOwner,
  addUserAgent,
  createKey,
  hashKey,
  isKey,
  removeOrigin,
  removeOwner,
  removeUserAgent,
  revokeKey,
} from '../identifiers/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { ENGINES, type Engine } from '../platform/testing/engines.ts';
import { listAudit, registryMigrations, registryRevision, tables } from '../registry/index.ts';
import { type ClientRecord, createClient, decideClient, deleteClient, findClient, listClients } from './clients.ts';
import {
  approveRequest,
  createRequest,
  listInvitations,
  listRequests,
  rejectRequest,
  withdrawRequest,
} from './requests.ts';
import { searchClients } from './search.ts';

const by = { actor: 'a test', now: 1_700_000_000_000 };
const pubkey = (n: number) => n.toString(16).padStart(64, '0');
const refused = (message: string, code = 'validation') =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });
const missing = expect.objectContaining({ code: 'not_found' });

for (const { name, start } of ENGINES) {
  describe(`a registry in ${name}`, () => {
    let engine: Engine;
    let db: Database;

    beforeAll(async () => {
      engine = await start();
    });

    afterAll(() => engine.stop());

    beforeEach(async () => {
      db = await engine.open({
        '1': registryMigrations.registry,
        '2': registryMigrations.details,
        '3': registryMigrations.auditOwners,
        '4': registryMigrations.keyExpiry,
        '6': registryMigrations.notices,
        '7': registryMigrations.clientLimits,
        '5': registryMigrations.usageByWay,
      });
    });

    afterEach(() => db.destroy());

    async function newClient(name = 'Wisp', pubkeys: string[] = [], origins: string[] = []): Promise<string> {
      return (await createClient(db, by, { name, state: 'approved', pubkeys, origins })).id;
    }

    describe('clients', () => {
      test('are found with everything that belongs to them, and deleted with it', async () => {
        const clientId = await newClient(
          '  Wisp ',
          [pubkey(1)],
          ['HTTPS://Wisp.Example:443/', 'https://*.bücher.example'],
        );
        const { key, ...kept } = await createKey(db, by, { clientId, name: 'phone' });
        const userAgent = await addUserAgent(db, by, { clientId, pattern: 'WispApp/**' });
        const request = await createRequest(db, by, { clientId, kind: 'owner', value: pubkey(2) });
        const found = await findClient(db, clientId);
        expect(found).toMatchObject({ name: 'Wisp', state: 'approved', createdAt: by.now, keys: [kept] });
        expect(found.owners.map((owner) => owner.pubkey)).toEqual([pubkey(1)]);
        expect(found.origins.map(({ origin }) => origin).toSorted()).toEqual([
          'https://*.xn--bcher-kva.example',
          'https://wisp.example',
        ]);
        expect(found.userAgents).toEqual([{ ...userAgent, pattern: 'WispApp/*' }]);
        expect(found.requests).toEqual([request]);
        expect(isKey(key)).toBe(true);
        expect(JSON.stringify(await tables(db).selectFrom('keys').selectAll().execute())).not.toContain(key);
        await deleteClient(db, by, clientId);
        for (const table of ['clients', 'owners', 'origins', 'keys', 'userAgents', 'requests'] as const) {
          expect(await tables(db).selectFrom(table).selectAll().execute(), table).toEqual([]);
        }
        await expect(findClient(db, clientId)).rejects.toEqual(missing);
        await newClient('Another', [], ['https://wisp.example']);
      });

      test('are registered completely or not at all', async () => {
        await newClient('First', [], ['https://taken.example']);
        const origins = ['https://free.example', 'https://taken.example'];
        await expect(newClient('Second', [pubkey(1)], origins)).rejects.toEqual(
          refused('https://taken.example', 'conflict'),
        );
        expect((await listClients(db)).map(({ name }) => name)).toEqual(['First']);
        expect(await tables(db).selectFrom('owners').selectAll().execute()).toEqual([]);
        expect(await registryRevision(db)).toBe(1);
      });

      test.each(['', ' ', 'x'.repeat(101), 'a\nb', 'a\u2028b'])('cannot have the name %j', async (name) => {
        await expect(async () => newClient(name)).rejects.toEqual(refused('name'));
      });

      test('change their state only in allowed ways', async () => {
        const { id } = await createClient(db, by, { name: 'New', state: 'unpaid', pubkeys: [], origins: [] });
        await expect(decideClient(db, by, id, 'suspend')).rejects.toEqual(refused('it is unpaid', 'conflict'));
        await decideClient(db, by, id, 'approve');
        await expect(decideClient(db, by, id, 'approve')).rejects.toEqual(refused('it is approved', 'conflict'));
        await expect(decideClient(db, by, id, 'reject')).rejects.toEqual(refused('it is approved', 'conflict'));
        await decideClient(db, by, id, 'suspend');
        await decideClient(db, by, id, 'approve');
        expect((await findClient(db, id)).state).toBe('approved');
        await expect(decideClient(db, by, 'nobody', 'approve')).rejects.toEqual(missing);
      });

      test('always have at least one owner', async () => {
        const clientId = await newClient('Wisp', [pubkey(1)]);
        const [first] = (await findClient(db, clientId)).owners;
        await expect(removeOwner(db, by, first!.id)).rejects.toEqual(refused('last', 'conflict'));
        await addOwner(db, by, { clientId, pubkey: pubkey(2).toUpperCase() });
        await removeOwner(db, by, first!.id);
        expect((await findClient(db, clientId)).owners.map((owner) => owner.pubkey)).toEqual([pubkey(2)]);
        await addOwner(db, { ...by, now: by.now + 1 }, { clientId, pubkey: pubkey(1) });
        await addOwner(db, { ...by, now: by.now - 1 }, { clientId, pubkey: pubkey(3) });
        const inOrder = (await findClient(db, clientId)).owners.map((owner) => owner.pubkey);
        expect(inOrder).toEqual([pubkey(3), pubkey(2), pubkey(1)]);
        expect(() => addOwner(db, by, { clientId, pubkey: 'npub1x' })).toThrow(refused('pubkey'));
        await expect(addOwner(db, by, { clientId, pubkey: pubkey(2) })).rejects.toEqual(refused('already', 'conflict'));
      });
    });

    describe('the audit log', () => {
      test("keeps all actions of operators, and the latest actions of a client's owners", async () => {
        const owner = { ...by, actor: 'npub1owner', isOwner: true };
        const { id: clientId } = await createClient(db, owner, {
          name: 'Wisp',
          state: 'approved',
          pubkeys: [],
          origins: [],
        });
        await decideClient(db, by, clientId, 'suspend');
        for (let n = 0; n < 260; n++) {
          const { id } = await createKey(db, owner, { clientId, name: `${n}` });
          await revokeKey(db, owner, id);
        }
        // What the owners of other clients do does not count.
        const other = await newClient('Other');
        for (let n = 0; n < 5; n++) await createKey(db, owner, { clientId: other, name: `${n}` });
        const { id: last } = await createKey(db, owner, { clientId, name: 'last' });
        await revokeKey(db, owner, last);
        const lines = await listAudit(db, clientId);
        const first = lines.slice(0, 2).map(({ action }) => action);
        expect(first).toEqual(['client create', 'client suspend']);
        expect(lines).toHaveLength(2 + 500);
        expect(lines.at(-1)!.action).toBe('key revoke');
      });

      test('contains every change with its actor and time, even after the client was deleted', async () => {
        const clientId = await newClient();
        const origin = await addOrigin(db, { actor: 'another', now: 5 }, { clientId, origin: 'https://a.example' });
        await removeOrigin(db, by, origin.id);
        const key = await createKey(db, by, { clientId, name: 'k' });
        await revokeKey(db, by, key.id);
        const userAgent = await addUserAgent(db, by, { clientId, pattern: 'WispApp/1*' });
        await removeUserAgent(db, by, userAgent.id);
        const asked = await createRequest(db, by, { clientId, kind: 'origin', value: 'https://b.example' });
        await rejectRequest(db, by, 'origin', { id: asked.id, reason: 'not yours' });
        await deleteClient(db, by, clientId);
        const lines = await listAudit(db, clientId);
        expect(lines.map(({ action }) => action)).toEqual([
          'client create',
          'origin add',
          'origin remove',
          'key create',
          'key revoke',
          'user-agent add',
          'user-agent remove',
          'origin request',
          'origin reject',
          'client delete',
        ]);
        expect(lines[1]).toEqual({
          revision: 2,
          at: 5,
          actor: 'another',
          action: 'origin add',
          clientId,
          subject: 'https://a.example',
        });
        expect(lines[8]!.subject).toBe('https://b.example: not yours');
        expect(lines.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        expect(JSON.stringify(lines)).not.toContain(key.key);
      });

      test('does not contain failed changes', async () => {
        const clientId = await newClient();
        await expect(revokeKey(db, by, 'nothing')).rejects.toEqual(missing);
        await expect(removeOrigin(db, by, 'nothing')).rejects.toEqual(missing);
        await expect(removeUserAgent(db, by, 'nothing')).rejects.toEqual(missing);
        await expect(removeOwner(db, by, 'nothing')).rejects.toEqual(missing);
        await expect(approveRequest(db, by, 'origin', 'nothing')).rejects.toEqual(missing);
        await expect(addOrigin(db, by, { clientId: 'nobody', origin: 'https://a.example' })).rejects.toEqual(missing);
        expect(await registryRevision(db)).toBe(1);
        expect(await listAudit(db, clientId)).toHaveLength(1);
      });
    });

    describe('requests', () => {
      test('have no effect until they are approved', async () => {
        const clientId = await newClient();
        const lookUp = createLookUp(db);
        const identifier = { kind: 'origin' as const, value: 'https://a.example' };
        const { id } = await createRequest(db, by, { clientId, kind: 'origin', value: 'https://A.example/' });
        const again = createRequest(db, by, { clientId, kind: 'origin', value: 'https://a.example' });
        await expect(again).rejects.toEqual(refused('waiting', 'conflict'));
        expect(await lookUp(identifier)).toBeNull();
        await expect(approveRequest(db, by, 'user-agent', id)).rejects.toEqual(missing);
        expect(await listRequests(db)).toMatchObject([{ id, clientId, value: 'https://a.example' }]);
        await approveRequest(db, by, 'origin', id);
        expect(await lookUp(identifier)).toMatchObject({ client: { id: clientId }, isExact: true });
        await expect(approveRequest(db, by, 'origin', id)).rejects.toEqual(missing);
        expect(await listRequests(db)).toEqual([]);
      });

      test('for public suffixes are rejected', async () => {
        const clientId = await newClient();
        const value = 'https://*.github.io';
        await expect(createRequest(db, by, { clientId, kind: 'origin', value })).rejects.toEqual(
          refused('public suffix'),
        );
        await expect(addOrigin(db, by, { clientId, origin: value })).rejects.toEqual(refused('public suffix'));
        expect((await findClient(db, clientId)).requests).toEqual([]);
      });

      test('of two clients for one origin: the one approved first gets it, and the other still waits', async () => {
        const [one, two] = [await newClient('One'), await newClient('Two')];
        const ask = (clientId: string) =>
          createRequest(db, by, { clientId, kind: 'origin', value: 'https://a.example' });
        const [first, second] = [await ask(one), await ask(two)];
        await approveRequest(db, by, 'origin', second.id);
        await expect(approveRequest(db, by, 'origin', first.id)).rejects.toEqual(
          refused('is already registered', 'conflict'),
        );
        expect((await findClient(db, one)).requests).toHaveLength(1);
      });
    });

    describe('limits', () => {
      /**
       * Makes 20 calls at the same time.
       * @returns the number of calls that succeeded. The other calls must be refused with an error that names the
       * field.
       */
      async function race(
        field: string,
        call: (n: number) => Promise<unknown>,
        code = 'limit_reached',
      ): Promise<number> {
        const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => call(n)));
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).toEqual(refused(field, code));
        }
        return results.filter(({ status }) => status === 'fulfilled').length;
      }

      test('hold when 20 calls race', async () => {
        const clientId = await newClient();
        expect(await race('Clients of the pubkey', (n) => newClient(`c${n}`, [pubkey(99)]))).toBe(5);
        expect(await race('owners', (n) => addOwner(db, by, { clientId, pubkey: pubkey(n) }))).toBe(10);
        expect(await race('User-Agents', (n) => addUserAgent(db, by, { clientId, pattern: `Wisp ${n}/*` }))).toBe(10);
        expect(await race('API keys', (n) => createKey(db, by, { clientId, name: `k${n}` }))).toBe(10);
        const ask = (n: number) => createRequest(db, by, { clientId, kind: 'origin', value: `https://r${n}.example` });
        expect(await race('Pending requests', ask)).toBe(10);
        expect(await race('origins', (n) => addOrigin(db, by, { clientId, origin: `https://o${n}.example` }))).toBe(10);
        for (const { id } of await listRequests(db)) await approveRequest(db, by, 'origin', id);
        expect((await findClient(db, clientId)).origins).toHaveLength(20);
        await expect(ask(50)).rejects.toEqual(refused('at most 20', 'limit_reached'));
      });

      test('hold for the invitations of one person, who can make room', async () => {
        const invited = pubkey(9_000);
        const invite = async () => {
          const clientId = await newClient('Inviting');
          return createRequest(db, by, { clientId, kind: 'owner', value: invited });
        };
        for (let n = 0; n < 20; n++) await invite();
        const [first] = await listInvitations(db, invited);
        await expect(invite()).rejects.toMatchObject({ code: 'limit_reached' });
        await withdrawRequest(db, by, 'owner', first!.id);
        await invite();
        expect(await listInvitations(db, invited)).toHaveLength(20);
      });

      test('allow an origin only once when 20 calls race', async () => {
        const clientId = await newClient();
        expect(
          await race('origin', () => addOrigin(db, by, { clientId, origin: 'https://a.example' }), 'conflict'),
        ).toBe(1);
      });
    });

    test('the registry behaves like a simple model', async () => {
      const step = fc.record({
        act: fc.constantFrom('add', 'remove', 'request', 'approve', 'reject'),
        host: fc.nat(14).map((n) => `https://h${n}.example`),
        at: fc.nat(30),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const clientId = await newClient();
          const model = { origins: new Set<string>(), requests: new Set<string>() };
          const room = () => model.origins.size + model.requests.size < 20;
          for (const { act, host, at } of steps) {
            const { origins, requests }: ClientRecord = await findClient(db, clientId);
            const held = origins[at % (origins.length || 1)];
            const waiting = requests[at % (requests.length || 1)];
            if (act === 'add') {
              const allowed = !model.origins.has(host) && room();
              if (allowed) model.origins.add(host);
              const done = addOrigin(db, by, { clientId, origin: host }).then(
                () => true,
                () => false,
              );
              expect(await done).toBe(allowed);
            } else if (act === 'request') {
              const isNew = !model.origins.has(host) && !model.requests.has(host);
              const allowed = isNew && room() && model.requests.size < 10;
              if (allowed) model.requests.add(host);
              const done = createRequest(db, by, { clientId, kind: 'origin', value: host }).then(
                () => true,
                () => false,
              );
              expect(await done).toBe(allowed);
            } else if (act === 'remove' && held) {
              await removeOrigin(db, by, held.id);
              model.origins.delete(held.origin);
            } else if (act === 'reject' && waiting) {
              await rejectRequest(db, by, 'origin', { id: waiting.id });
              model.requests.delete(waiting.value);
            } else if (act === 'approve' && waiting && !model.origins.has(waiting.value)) {
              await approveRequest(db, by, 'origin', waiting.id);
              model.requests.delete(waiting.value);
              model.origins.add(waiting.value);
            }
          }
          const { origins, requests } = await findClient(db, clientId);
          expect(new Set(origins.map(({ origin }) => origin))).toEqual(model.origins);
          expect(new Set(requests.map(({ value }) => value))).toEqual(model.requests);
          await deleteClient(db, by, clientId);
        }),
        { numRuns: 10 * inject('cases') },
      );
    });

    test("a month of a client's requests is saved, and then forgotten", async () => {
      const clientId = await newClient();
      const day = 86_400_000;
      const tally = new UsageTally();
      const operations = ['search', 'similar', 'suggest', 'lookup'];
      for (let n = 0; n < 30; n++) {
        for (const operation of operations) tally.count({ id: clientId }, operation, 'made', by.now + n * day);
      }
      await recordUsage(db, tally.take(), by.now + 29 * day);
      expect(await listUsage(db, clientId, by.now + 29 * day)).toHaveLength(30 * operations.length);
      const kept = () => tables(db).selectFrom('usage').select('requests').execute();
      await recordUsage(db, [], by.now + 30 * day);
      expect(await kept()).toHaveLength(29 * operations.length);
      await recordUsage(db, [], by.now + 59 * day);
      expect(await kept()).toEqual([]);
    });

    test('requests are counted for each registered origin, key and User-Agent, even after it is removed', async () => {
      const clientId = await newClient('Wisp', [], ['https://wisp.example', 'https://*.wisp.example']);
      const { key, id: keyId } = await createKey(db, by, { clientId, name: 'phone' });
      await addUserAgent(db, by, { clientId, pattern: 'Wisp/*' });
      const lookUp = createLookUp(db);
      const tally = new UsageTally();
      const callers: Identifier[] = [
        { kind: 'origin', value: 'https://wisp.example' },
        { kind: 'origin', value: 'https://a.wisp.example' },
        { kind: 'origin', value: 'https://b.wisp.example' },
        { kind: 'key', value: key },
        { kind: 'user-agent', value: 'Wisp/1.0' },
        { kind: 'user-agent', value: 'Wisp/2.0' },
      ];
      const send = async () => {
        for (const identifier of callers) {
          const caller = (await lookUp(identifier)) as Caller;
          for (const use of ['made', 'limited'] as const) tally.count(caller.client, 'search', use, by.now);
        }
        // An edge of an older version does not send the id of the caller's identifier.
        tally.count({ id: clientId }, 'search', 'made', by.now);
        tally.count({ id: clientId, wayId: 'invented' }, 'search', 'made', by.now);
        await recordUsage(db, tally.take(), by.now);
      };
      await send();
      await send();
      await revokeKey(db, by, keyId);
      const ways = await listUsageByWay(db, clientId, by.now);
      expect(
        new Set(ways.map(({ kind, name, requests, limited }) => [kind, name, requests, limited].join(' '))),
      ).toEqual(
        new Set([
          'origin https://wisp.example 4 2',
          'origin https://*.wisp.example 8 4',
          'key phone 4 2',
          'user-agent Wisp/* 8 4',
        ]),
      );
      expect(await listUsage(db, clientId, by.now)).toMatchObject([{ operation: 'search', requests: 28, limited: 12 }]);
      await recordUsage(db, [], by.now + 30 * 86_400_000);
      expect(await tables(db).selectFrom('usageByWay').selectAll().execute()).toEqual([]);
    });

    test('the requests of several clients are summed over the last 30 days', async () => {
      const [busy, quiet, silent] = [await newClient(), await newClient(), await newClient()];
      const day = 86_400_000;
      const tally = new UsageTally();
      tally.count({ id: busy }, 'search', 'made', by.now - 30 * day);
      await recordUsage(db, tally.take(), by.now - 30 * day);
      for (const operation of ['search', 'search', 'suggest'])
        tally.count({ id: busy }, operation, 'made', by.now - day);
      for (const client of [busy, quiet]) tally.count({ id: client }, 'search', 'made', by.now);
      await recordUsage(db, tally.take(), by.now - day);
      expect(await sumUsage(db, [busy, silent], by.now)).toEqual(new Map([[busy, 4]]));
      expect(await sumUsage(db, [], by.now)).toEqual(new Map());
    });

    test('the list of clients shows what each client has', async () => {
      const full = await newClient();
      await newClient();
      for (const n of [7, 8]) await addOwner(db, by, { clientId: full, pubkey: pubkey(n) });
      await addOrigin(db, by, { clientId: full, origin: 'https://full.example' });
      for (const name of ['phone', 'tablet']) await createKey(db, by, { clientId: full, name });
      const found = await searchClients(db, { text: '', pubkey: '', after: '', limit: 9 });
      expect(found).toHaveLength(2);
      const facts = {
        owners: expect.arrayContaining([pubkey(7), pubkey(8)]),
        origins: ['https://full.example'],
        keys: 2,
      };
      expect(found.find(({ id }) => id === full)).toMatchObject(facts);
      expect(found.find(({ id }) => id !== full)).toMatchObject({ origins: [], keys: 0 });
      expect(await searchClients(db, { text: 'nothing', pubkey: '', after: '', limit: 9 })).toEqual([]);
    });

    test('clients that were registered at the same time are listed page by page, each once', async () => {
      const ids = [await newClient('A'), await newClient('B'), await newClient('C')];
      const listed: string[] = [];
      for (let after = ''; ; after = listed.at(-1)!) {
        const [found] = await searchClients(db, { text: '', pubkey: '', after, limit: 1 });
        if (found === undefined) break;
        listed.push(found.id);
      }
      expect(listed).toEqual(ids.toSorted().reverse());
    });

    describe('callers', () => {
      test('are found by each identifier, but only if their client is approved', async () => {
        const { id } = await createClient(db, by, { name: 'Wisp', state: 'unpaid', pubkeys: [], origins: [] });
        await addOrigin(db, by, { clientId: id, origin: 'https://*.wisp.example' });
        const { key } = await createKey(db, by, { clientId: id, name: 'k' });
        await addUserAgent(db, by, { clientId: id, pattern: 'WispApp/*' });
        const lookUp = createLookUp(db);
        const found = async () => [
          await lookUp({ kind: 'origin', value: 'https://a.b.wisp.example' }),
          await lookUp({ kind: 'key', value: key }),
          await lookUp({ kind: 'user-agent', value: 'WispApp/1.0' }),
        ];
        const nobody = [null, null, null];
        expect(await found()).toEqual(nobody);
        await decideClient(db, by, id, 'approve');
        const client = { id, name: 'Wisp', isDevelopment: false, wayId: expect.any(String) };
        expect(await found()).toEqual([
          { client, isExact: false },
          { client, isExact: true },
          { client, isExact: false },
        ]);
        await decideClient(db, by, id, 'suspend');
        expect(await found()).toEqual(['suspended', 'suspended', 'suspended']);
        await decideClient(db, by, id, 'approve');
        await deleteClient(db, by, id);
        expect(await found()).toEqual(nobody);
        expect(hashKey(key)).toMatch(/^[\da-f]{64}$/);
      });

      test('are found by their most specific identifier', async () => {
        const wide = await newClient('Wide', [], ['https://*.a.example']);
        const narrow = await newClient('Narrow', [], ['https://*.b.a.example']);
        const exact = await newClient('Exact', [], ['https://c.b.a.example']);
        await addUserAgent(db, by, { clientId: wide, pattern: 'WispApp/*' });
        await addUserAgent(db, by, { clientId: exact, pattern: 'WispApp/2*' });
        const lookUp = createLookUp(db);
        const of = async (kind: 'origin' | 'user-agent', value: string) => {
          const caller = await lookUp({ kind, value });
          return typeof caller === 'string' ? caller : caller?.client.id;
        };
        expect(await of('origin', 'https://x.a.example')).toBe(wide);
        expect(await of('origin', 'https://x.b.a.example')).toBe(narrow);
        expect(await of('origin', 'https://c.b.a.example')).toBe(exact);
        expect(await of('origin', 'https://a.example')).toBeUndefined();
        expect(await of('origin', 'https://x.a.example:8443')).toBeUndefined();
        expect(await of('origin', 'http://x.a.example')).toBeUndefined();
        expect(await of('user-agent', 'WispApp/1')).toBe(wide);
        expect(await of('user-agent', 'WispApp/2.1')).toBe(exact);
        await deleteClient(db, by, exact);
        expect(await of('origin', 'https://c.b.a.example')).toBe(narrow);
        expect(await of('user-agent', 'WispApp/2.1')).toBe(wide);
      });

      test('of an approved client are not shut out by a suspended client with more specific identifiers', async () => {
        const wide = await newClient('Wide', [], ['https://*.a.example']);
        const narrow = await newClient('Narrow', [], ['https://*.b.a.example', 'https://c.b.a.example']);
        await addUserAgent(db, by, { clientId: wide, pattern: 'WispApp/*' });
        await addUserAgent(db, by, { clientId: narrow, pattern: 'WispApp/2*' });
        await addUserAgent(db, by, { clientId: narrow, pattern: 'WispApp/2.1' });
        const lookUp = createLookUp(db);
        const found = async () => {
          const callers = [
            await lookUp({ kind: 'origin', value: 'https://x.b.a.example' }),
            await lookUp({ kind: 'origin', value: 'https://c.b.a.example' }),
            await lookUp({ kind: 'user-agent', value: 'WispApp/2.0' }),
            await lookUp({ kind: 'user-agent', value: 'WispApp/2.1' }),
          ];
          return callers.map((caller) => (typeof caller === 'string' ? caller : caller?.client.id));
        };
        expect(await found()).toEqual(Array(4).fill(narrow));
        await decideClient(db, by, narrow, 'suspend');
        expect(await found()).toEqual(Array(4).fill(wide));
        await decideClient(db, by, wide, 'suspend');
        expect(await found()).toEqual(Array(4).fill('suspended'));
        await decideClient(db, by, narrow, 'approve');
        expect(await found()).toEqual(Array(4).fill(narrow));
        expect(await lookUp({ kind: 'origin', value: 'https://x.a.example' })).toBe('suspended');
        expect(await lookUp({ kind: 'user-agent', value: 'WispApp/1' })).toBe('suspended');
      });
    });
  });
}

test('limits hold across processes with separate connections to one SQLite file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  const file = path.join(folder, 'registry.db');
  const db = openDatabase(file);
  await migrate(db, {
    '1': registryMigrations.registry,
    '2': registryMigrations.details,
    '3': registryMigrations.auditOwners,
    '4': registryMigrations.keyExpiry,
    '6': registryMigrations.notices,
    '7': registryMigrations.clientLimits,
  });
  const { id: clientId } = await createClient(db, by, { name: 'Wisp', state: 'approved', pubkeys: [], origins: [] });
  const program = `
      import { workerData, parentPort } from 'node:worker_threads';
      const { createKey } = await import(workerData.identifiers);
      const { openDatabase } = await import(workerData.database);
      const db = openDatabase(workerData.file);
      let made = 0;
      for (let n = 0; n < 5; n++) {
        await createKey(db, workerData.by, { clientId: workerData.clientId, name: 'k' + n }).then(() => made++, () => {});
      }
      await db.destroy();
      parentPort.postMessage(made);`;
  const workerData = {
    by,
    clientId,
    file,
    identifiers: new URL('../identifiers/index.ts', import.meta.url).href,
    database: new URL('../platform/db/index.ts', import.meta.url).href,
  };
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const execArgv = ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'];
  const made = await Promise.all(
    Array.from(
      { length: 4 },
      () =>
        new Promise<number>((resolve, reject) => {
          new Worker(url, { workerData, execArgv }).once('message', resolve).once('error', reject);
        }),
    ),
  );
  expect(made.reduce((sum, n) => sum + n)).toBe(10);
  expect((await findClient(db, clientId)).keys).toHaveLength(10);
  await db.destroy();
  await rm(folder, { recursive: true });
});
