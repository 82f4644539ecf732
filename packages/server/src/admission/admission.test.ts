import { beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../base/log.ts';
import { makeKey } from '../identifiers/index.ts';
import { Admission } from './admission.ts';
import type { Caller, Client } from './callers.ts';

const admitted = [
  'http://localhost',
  'https://localhost',
  'http://localhost:3000',
  'http://127.0.0.1:8080',
  'https://127.0.0.1',
  'http://[::1]',
  'http://[::1]:5173',
  'HTTP://LOCALHOST',
];

const unreadable = [
  'capacitor://localhost',
  'tauri://localhost',
  'ionic://localhost',
  'file://',
  'http://localhost/',
  'http://user@localhost',
  'http://localhost:3000000',
  'http://localhost:99999',
  'https://a.example, https://a.example',
  'null, null',
  'NULL',
  '',
];

const HOUR = 3_600_000;
const client = { id: 'c', name: 'Wisp', isDevelopment: false };
const stranger = expect.objectContaining({ code: 'client_not_registered' });
const unavailable = expect.objectContaining({ code: 'registry_unavailable', retryAfter: 10 });

const clock = { ms: 0, now: () => clock.ms };
/** The registry's callers, keyed by identifier, or an `Error` while the registry is down. */
let registry: Record<string, Caller> | Error;
/** Delayed results of the registry. The next look-ups get these results, in this order. */
let held: Promise<Caller | null>[];
let asked: string[];
let logged: { err: Error }[];
let admission: Admission;

beforeEach(() => {
  clock.ms = 1_700_000_000_000;
  asked = [];
  logged = [];
  held = [];
  registry = {
    'https://a.example': { client, isExact: true },
    'Wisp/1.0': { client, isExact: false },
    'https://quitealongname.example': { client, isExact: true },
  };
  admission = new Admission({
    clock,
    log: { error: (line: { err: Error }) => void logged.push(line) } as unknown as Log,
    lookUp: async ({ value }) => {
      asked.push(value);
      const late = held.shift();
      if (late !== undefined) return late;
      if (registry instanceof Error) throw registry;
      return registry[value] ?? null;
    },
  });
});

const identify = async (headers: Record<string, string>) => admission.identify(headers);

describe('identify', () => {
  it.each(admitted)('admits %s without a look-up', (origin) => {
    expect(admission.identify({ origin })).toMatchObject({ id: 'development', isDevelopment: true });
    expect(asked).toEqual([]);
  });

  it.each(unreadable)('rejects the Origin "%s" without a look-up, regardless of other headers', async (origin) => {
    await expect(identify({ origin, 'user-agent': 'Wisp/1.0' })).rejects.toEqual(stranger);
    expect(asked).toEqual([]);
  });

  it.each(['Bearer', 'Basic abc', 'Bearer zoe_x', '', `Token ${makeKey()}`, `Bearer ${makeKey()}x`])(
    'rejects the Authorization "%s" without a look-up',
    async (authorization) => {
      await expect(identify({ authorization, 'user-agent': 'Wisp/1.0' })).rejects.toEqual(stranger);
      expect(asked).toEqual([]);
    },
  );

  it('uses only the Origin if present', async () => {
    const headers = { origin: 'https://example.com', authorization: `Bearer ${makeKey()}`, 'user-agent': 'Wisp/1.0' };
    await expect(identify(headers)).rejects.toThrow('https://example.com');
    expect(asked).toEqual(['https://example.com']);
  });

  it('treats the opaque origin null as absent', async () => {
    await expect(identify({ origin: 'null' })).rejects.toThrow('does not identify a registered client');
    expect(await identify({ origin: 'null', 'user-agent': 'Wisp/1.0' })).toBe(client);
  });

  it('rejects a very long User-Agent without a look-up', async () => {
    const [longest, tooLong] = ['x'.repeat(512), 'x'.repeat(513)];
    await expect(identify({ 'user-agent': tooLong })).rejects.toEqual(stranger);
    expect(asked).toEqual([]);
    await expect(identify({ 'user-agent': longest })).rejects.toEqual(stranger);
    expect(asked).toEqual([longest]);
  });

  it('does not repeat a key in the error', async () => {
    const key = makeKey();
    await expect(identify({ authorization: `Bearer ${key}` })).rejects.not.toThrow(key);
    registry = { [key]: { client, isExact: true } };
    admission.clear();
    expect(await identify({ authorization: `bearer ${key}` })).toBe(client);
  });
});

describe('a result of the registry', () => {
  const origin = 'https://a.example';

  it('is used for an hour, without waiting', async () => {
    await identify({ origin });
    registry = {};
    clock.ms += HOUR - 1;
    expect(admission.identify({ origin })).toBe(client);
    clock.ms += 1;
    await expect(identify({ origin })).rejects.toEqual(stranger);
    expect(asked).toHaveLength(2);
  });

  it('is not used after the key has expired', async () => {
    const key = makeKey();
    const authorization = `Bearer ${key}`;
    registry = { [key]: { client, isExact: true, expiresAt: clock.ms + 5_000 } };
    expect(await identify({ authorization })).toBe(client);
    expect(admission.secondsLeft({ authorization })).toBe(5);
    registry = {};
    clock.ms += 4_999;
    expect(admission.identify({ authorization })).toBe(client);
    clock.ms += 1;
    expect(admission.known({ authorization }, clock.ms)).toBeUndefined();
    await expect(identify({ authorization })).rejects.toEqual(stranger);
  });

  it('is used for five minutes if the caller is unknown', async () => {
    await expect(identify({ origin: 'https://b.example' })).rejects.toEqual(stranger);
    registry = { 'https://b.example': { client, isExact: true } };
    clock.ms += 300_000 - 1;
    expect(() => admission.identify({ origin: 'https://b.example' })).toThrow(stranger);
    clock.ms += 1;
    expect(await identify({ origin: 'https://b.example' })).toBe(client);
  });

  it('is not cached if the registry was down; cached callers stay admitted until the hour is over', async () => {
    await identify({ origin });
    const working = registry;
    registry = new Error('down');
    expect(admission.identify({ origin })).toBe(client);
    await expect(identify({ origin: 'https://b.example' })).rejects.toEqual(unavailable);
    clock.ms += HOUR;
    await expect(identify({ origin })).rejects.toEqual(unavailable);
    registry = working;
    expect(await identify({ origin })).toBe(client);
  });

  it('is logged once per outage if the registry is down', async () => {
    const working = registry;
    for (const state of [new Error('down'), new Error('down'), working, new Error('down again')]) {
      registry = state;
      await identify({ origin: `https://b${asked.length}.example` }).catch(() => {});
    }
    expect(logged.map(({ err }) => err.message)).toEqual(['down', 'down again']);
  });

  it('is looked up once for concurrent requests', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => identify({ origin })));
    expect(new Set(all)).toEqual(new Set([client]));
    expect(asked).toEqual([origin]);
  });

  it('is not used after a change of the registry, even if it arrives after the change', async () => {
    await identify({ origin });
    registry = {};
    admission.clear();
    await expect(identify({ origin })).rejects.toEqual(stranger);

    admission.clear();
    const late = identify({ origin });
    registry = { [origin]: { client, isExact: true } };
    admission.clear();
    const [early, fresh] = await Promise.allSettled([late, identify({ origin })]);
    expect(early).toMatchObject({ status: 'rejected' });
    expect(fresh).toMatchObject({ status: 'fulfilled' });
    expect(admission.identify({ origin })).toBe(client);
  });

  it.each([
    ['rejects', { before: { client, isExact: true }, after: null }],
    ['admits', { before: null, after: { client, isExact: true } }],
  ] as const)('that a change has made invalid does not replace a later result that %s a caller', async (_, change) => {
    const { before, after } = change;
    const idOf = async (asking: Promise<Client>) => asking.then(({ id }) => id).catch(() => null);
    const late = Promise.withResolvers<Caller | null>();
    held.push(late.promise);
    const early = idOf(identify({ origin }));
    registry = after === null ? {} : { [origin]: after };
    admission.clear();
    const fresh = await idOf(identify({ origin }));
    late.resolve(before);
    expect([await early, fresh]).toEqual([before?.client.id ?? null, after?.client.id ?? null]);
    // This result is from the cache.
    expect(await idOf(identify({ origin }))).toBe(fresh);
    expect(asked).toHaveLength(2);
  });

  it('for an exact identifier is not evicted by strangers, or by endless subdomains or versions', async () => {
    await identify({ origin });
    for (let n = 0; n < 20_000; n++) {
      await identify({ origin: `https://${n}.example` }).catch(() => {});
      registry = { [`Wisp/${n}`]: { client, isExact: false } };
      await identify({ 'user-agent': `Wisp/${n}` });
    }
    asked = [];
    expect(admission.identify({ origin })).toBe(client);
    expect(asked).toEqual([]);
  });

  it('for an exact identifier is not evicted by other spellings of an origin', async () => {
    await identify({ origin });
    const letters = [...'quitealongname.example'];
    for (let n = 1; n < 20_000; n++) {
      const spelling = letters.map((letter, i) => ((n >> i) & 1 ? letter.toUpperCase() : letter)).join('');
      expect(await identify({ origin: `https://${spelling}` })).toBe(client);
    }
    asked = [];
    expect(admission.identify({ origin })).toBe(client);
    expect(asked).toEqual([]);
  });

  it('is not shared by an Origin, a key and a User-Agent with the same value', async () => {
    await identify({ origin });
    await expect(identify({ 'user-agent': 'https://b.example' })).rejects.toEqual(stranger);
    await expect(identify({ authorization: origin })).rejects.toEqual(stranger);
    expect(asked).toEqual([origin, 'https://b.example']);
  });
});

describe('a cache in an edge', () => {
  const page = { origin: 'https://a.example' };
  const stranger = { origin: 'https://stranger.example' };

  it('can use a result for as long as this process can', async () => {
    await admission.identify(page);
    await Promise.resolve(admission.identify(stranger)).catch(() => {});
    expect([admission.secondsLeft(page), admission.secondsLeft(stranger)]).toEqual([3_600, 300]);
    clock.ms += 299_001;
    expect([admission.secondsLeft(page), admission.secondsLeft(stranger)]).toEqual([3_300, 0]);
  });

  it('cannot use a result if the registry has changed in the meantime', async () => {
    const slow = admission.identify(page);
    admission.clear();
    await slow;
    expect(admission.secondsLeft(page)).toBe(0);
  });

  it('can use results that do not depend on the registry', () => {
    expect(admission.secondsLeft({ origin: 'http://localhost:5173' })).toBe(3_600);
    for (const headers of [{}, { origin: 'file://' }, { authorization: 'Bearer zoe_guess' }]) {
      expect(admission.secondsLeft(headers)).toBe(300);
    }
  });
});
