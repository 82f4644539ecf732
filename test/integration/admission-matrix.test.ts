import { expect, test } from 'vitest';
import { Admission, createLookUp } from '../../packages/server/src/admission/index.ts';
import { createLog } from '../../packages/server/src/base/log.ts';
import { createClient, decideClient, deleteClient } from '../../packages/server/src/clients/index.ts';
import { addUserAgent, createKey } from '../../packages/server/src/identifiers/index.ts';
import { migrate, openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { registryMigrations } from '../../packages/server/src/registry/index.ts';
import { temporaryFolder } from '../support/server.ts';

/*
 * Tests every combination of Origin, Authorization and User-Agent, before and after every change of the registry, with
 * every possible state of the cache. The test compares the real admission, with a real registry, with a few lines of
 * code for the same rules.
 */

const ORIGINS = [
  undefined,
  'null',
  'https://app.example',
  'HTTPS://App.Example:443',
  'http://app.example',
  'https://app.example:8443',
  'https://port.example:8443',
  'https://port.example',
  'https://bücher.example',
  'https://xn--bcher-kva.example',
  'https://a.wild.example',
  'https://a.b.wild.example',
  'https://wild.example',
  'https://notwild.example',
  'https://a.wild.example:8443',
  'https://stranger.example',
  'https://app.example.stranger.example',
  'https://localhost',
  'http://127.0.0.1:3000',
  'http://[::1]:5173',
  'http://localhost.stranger.example',
  'capacitor://localhost',
  'file://',
  'https://app.example, https://app.example',
  'https://app.example/',
  '',
];
const AUTHORIZATIONS = [undefined, 'registered key', 'key of nobody', 'key with a slip', 'Basic', ''];
const USER_AGENTS = [undefined, '', 'WispApp/1.0 (iOS)', 'Mozilla/5.0', 'x'.repeat(600)];

type Registry = 'up' | 'unpaid' | 'suspended' | 'deleted' | 'down';
const CHANGES: [Registry, Registry][] = [
  ['up', 'up'],
  ['unpaid', 'unpaid'],
  ['unpaid', 'up'],
  ['up', 'suspended'],
  ['up', 'deleted'],
  ['up', 'down'],
];
/** The entries that are still in the cache from before the change. */
const MEMORIES = ['nothing', 'all', 'five minutes later', 'an hour later', 'notified of the change'] as const;

type Headers = Record<string, string>;
interface Scenario {
  before: Registry;
  after: Registry;
  memory: (typeof MEMORIES)[number];
}

/**
 * Returns the kind of a caller according to the specification. A caller of the kind `garbage` cannot be registered at
 * all.
 */
function whoIs(headers: Headers, key: string): 'development' | 'client' | 'stranger' | 'garbage' {
  const { origin, authorization, 'user-agent': agent } = headers;
  if (origin !== undefined && origin !== 'null') {
    const host = /^(https?):\/\/([^/,]+)$/.exec(origin.toLowerCase());
    if (!host) return 'garbage';
    if (/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host[2]!)) return 'development';
    if (host[1] !== 'https') return 'stranger';
    const name = host[2]!.replace(/:443$/, '').replace('bücher', 'xn--bcher-kva');
    const registered = ['app.example', 'port.example:8443', 'xn--bcher-kva.example'];
    return registered.includes(name) || name.endsWith('.wild.example') ? 'client' : 'stranger';
  }
  if (authorization !== undefined) {
    if (authorization === `Bearer ${key}`) return 'client';
    return authorization === `Bearer ${NOBODYS_KEY}` ? 'stranger' : 'garbage';
  }
  if (!agent || agent.length > 512) return 'garbage';
  return agent.startsWith('WispApp/') ? 'client' : 'stranger';
}

function expected(headers: Headers, key: string, { before, after, memory }: Scenario): string {
  const who = whoIs(headers, key);
  if (who === 'development') return who;
  if (who === 'garbage') return 'client_not_registered';
  const wasAdmitted = who === 'client' && before === 'up';
  const isRemembered = memory === 'all' || (memory === 'five minutes later' && wasAdmitted);
  const registry = isRemembered ? before : after;
  if (registry === 'down') return 'registry_unavailable';
  return who === 'client' && registry === 'up' ? 'client' : 'client_not_registered';
}

/** A well-formed key from another registry. */
const NOBODYS_KEY = await (async () => {
  using folder = temporaryFolder();
  const { key, db } = await register(folder.path, 'up');
  await db.destroy();
  return key;
})();

async function register(folder: string, state: Registry) {
  const db = openDatabase(`${folder}/zoetrope.db`);
  await migrate(db, {
    '1': registryMigrations.registry,
    '2': registryMigrations.details,
    '3': registryMigrations.auditOwners,
    '4': registryMigrations.keyExpiry,
    '6': registryMigrations.notices,
    '7': registryMigrations.clientLimits,
  });
  const by = { actor: 'a test', now: 0 };
  const { id } = await createClient(db, by, {
    name: 'Wisp',
    state: state === 'unpaid' ? 'unpaid' : 'approved',
    pubkeys: [],
    origins: ['https://app.example', 'https://port.example:8443', 'https://bücher.example', 'https://*.wild.example'],
  });
  const { key } = await createKey(db, by, { clientId: id, name: 'k' });
  await addUserAgent(db, by, { clientId: id, pattern: 'WispApp/*' });
  const turn = async (to: Registry) => {
    if (to === 'up' && state === 'unpaid') await decideClient(db, by, id, 'approve');
    if (to === 'suspended') await decideClient(db, by, id, 'suspend');
    if (to === 'deleted') await deleteClient(db, by, id);
    if (to === 'down') await db.destroy();
  };
  return { id, key, db, turn };
}

function allHeaders(key: string): Headers[] {
  const slip = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
  const values: Record<string, string> = {
    'registered key': `Bearer ${key}`,
    'key of nobody': `Bearer ${NOBODYS_KEY}`,
    'key with a slip': `Bearer ${slip}`,
    Basic: 'Basic YTpi',
  };
  return ORIGINS.flatMap((origin) =>
    AUTHORIZATIONS.flatMap((sort) =>
      USER_AGENTS.map((agent) => ({
        ...(origin === undefined ? {} : { origin }),
        ...(sort === undefined ? {} : { authorization: values[sort] ?? sort }),
        ...(agent === undefined ? {} : { 'user-agent': agent }),
      })),
    ),
  );
}

const SCENARIOS = CHANGES.flatMap(([before, after]) => MEMORIES.map((memory): Scenario => ({ before, after, memory })));

test.each(SCENARIOS)('registry $before, then $after; remembered: $memory', async (scenario) => {
  using folder = temporaryFolder();
  const { id, key, db, turn } = await register(folder.path, scenario.before);
  const clock = { ms: 0, now: () => clock.ms };
  const admission = new Admission({ lookUp: createLookUp(db), clock, log: createLog('silent') });
  const ask = async (headers: Headers) => {
    try {
      const client = await admission.identify(headers);
      return client.id === id ? 'client' : client.id;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const all = allHeaders(key);
  if (scenario.memory !== 'nothing') for (const headers of all) await ask(headers);
  await turn(scenario.after);
  if (scenario.memory === 'notified of the change') admission.clear();
  if (scenario.memory === 'five minutes later') clock.ms += 300_000;
  if (scenario.memory === 'an hour later') clock.ms += 3_600_000;
  const wrong: unknown[] = [];
  for (const headers of all) {
    const answer = await ask(headers);
    const right = expected(headers, key, scenario);
    if (answer !== right) wrong.push({ headers, answer, right });
  }
  expect(wrong).toEqual([]);
  expect(all).toHaveLength(780);
  await db.destroy();
});
