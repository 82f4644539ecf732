import { OPERATIONS } from '@zoetrope/contract';
import { describe, expect, vi } from 'vitest';
import { Admission, createLookUp } from '../../packages/server/src/admission/index.ts';
import { createLog } from '../../packages/server/src/base/log.ts';
import {
  approveRequest,
  createClient,
  createRequest,
  decideClient,
  deleteClient,
} from '../../packages/server/src/clients/index.ts';
import {
  addOrigin,
  addOwner,
  addUserAgent,
  createKey,
  removeOrigin,
  revokeKey,
} from '../../packages/server/src/identifiers/index.ts';
import { bearer, useRegistry } from './registry.ts';
import { sentence } from './sentence.ts';
import { OPERATION_PATHS, serveOne } from './service.ts';

const service = serveOne();
const registry = useRegistry(service);

const REFUSED = { status: 403, code: 'client_not_registered' };
/** Headers that native code sends by default. */
const NATIVE = { 'user-agent': 'okhttp/4.12.0' };
const AFTER_ADMISSION = /^access-control-/;

type Headers = Record<string, string>;

async function status(headers: Headers): Promise<number> {
  return (await service.get('/api/v1/search?q=dog', headers)).status;
}

/** A clock that the test sets, in milliseconds since the Unix epoch. */
const time = { ms: 0, now: () => time.ms };

/**
 * Returns an admission with the same registry, but without notifications of changes, as in a data centre that is cut
 * off.
 */
function admissionElsewhere(): (headers: Headers) => Promise<string> {
  const parts = { lookUp: createLookUp(registry.db), clock: time, log: createLog('silent') };
  const admission = new Admission(parts);
  return async (headers) => {
    try {
      return (await admission.identify(headers)).id;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
}

const pubkey = (n: number) => n.toString(16).padStart(64, '0');

/** Does something as often as it is allowed, and then once more. @returns the message of the refusal */
async function oneTooMany(most: number, act: (n: number) => Promise<unknown>): Promise<string> {
  for (let n = 0; n < most; n++) await act(n);
  const refusal = await act(most).catch((error: Error) => error);
  expect(refusal).toMatchObject({ code: 'limit_reached' });
  return (refusal as Error).message;
}

/** Reaches and exceeds each limit on registrations. @returns the messages of the refusals */
async function overstepLimits(name: string): Promise<string[]> {
  const { db, by } = registry;
  const person = pubkey(name.length);
  const clients: string[] = [];
  const create = async (n: number) => {
    const wanted = { name: `${name} ${n}`, state: 'approved', pubkeys: [person], origins: [] } as const;
    clients.push((await createClient(db, by, wanted)).id);
  };
  const ofPubkey = await oneTooMany(5, create);
  const [clientId = '', asking = ''] = clients;
  const origin = (n: number) => `https://${name}-${n}.example`;
  return [
    ofPubkey,
    // The client already has one owner.
    await oneTooMany(9, (n) => addOwner(db, by, { clientId, pubkey: pubkey(1_000 + n) })),
    await oneTooMany(20, (n) => addOrigin(db, by, { clientId, origin: origin(n) })),
    await oneTooMany(10, (n) => createKey(db, by, { clientId, name: `key ${n}` })),
    await oneTooMany(10, (n) => addUserAgent(db, by, { clientId, pattern: `${name}App${n}/*` })),
    await oneTooMany(10, (n) => createRequest(db, by, { clientId: asking, kind: 'origin', value: origin(100 + n) })),
  ];
}

describe('States and transitions', () => {
  sentence(71, async () => {
    const { db, by } = registry;
    const origin = 'https://reviewed.example';
    const wanted = { name: 'Reviewed', state: 'unpaid', pubkeys: [], origins: [origin] } as const;
    const { id } = await createClient(db, by, wanted);
    const { key } = await createKey(db, by, { clientId: id, name: 'k' });
    const waiting = await service.fail('/api/v1/search?q=dog', { origin });
    const stranger = 'https://unheard-of.example';
    const unknown = await service.fail('/api/v1/search?q=dog', { origin: stranger });
    expect(waiting).toEqual({ ...unknown, message: unknown.message.replace(stranger, origin) });
    expect(await status(bearer(key))).toBe(403);
    await decideClient(db, by, id, 'approve');
    for (const headers of [{ origin }, bearer(key)]) await registry.until('admitted', headers);
    const asked = await createRequest(db, by, { clientId: id, kind: 'origin', value: 'https://asked.example' });
    expect(await status({ origin: 'https://asked.example' })).toBe(403);
    await approveRequest(db, by, 'origin', asked.id);
    await registry.until('admitted', { origin: 'https://asked.example' });
    await deleteClient(db, by, id);
    for (const headers of [{ origin }, bearer(key)]) await registry.until('refused', headers);
    expect(JSON.stringify(await service.description())).not.toMatch(/unpaid|approved|suspended/);
    expect(Object.keys((await service.description()).paths)).toEqual(Object.values(OPERATIONS).map(({ path }) => path));
  });
});

describe('Authentication', () => {
  sentence(113, async () => {
    const { id, key } = await registry.client('Order', 'https://order.example');
    await addUserAgent(registry.db, registry.by, { clientId: id, pattern: 'OrderApp/*' });
    const good = [{ origin: 'https://order.example' }, bearer(key), { 'user-agent': 'OrderApp/1' }];
    const bad = [{ origin: 'https://disorder.example' }, bearer('zoe_wrong'), { 'user-agent': 'DisorderApp/1' }];
    for (const headers of good) await registry.until('admitted', headers);
    for (const [first, decides] of good.entries()) {
      const later = (headers: Headers[]) => Object.assign({}, ...headers.slice(first + 1)) as Headers;
      expect(await status({ ...later(bad), ...decides })).toBe(200);
      expect(await status({ ...later(good), ...bad[first] })).toBe(403);
    }
  });

  sentence(115, async () => {
    const { key } = await registry.client('Keyholder');
    await registry.until('admitted', bearer(key));
    for (const path of OPERATION_PATHS) {
      for (const origin of ['https://stranger.example', 'http://stranger.example', 'chrome-extension://abc', '']) {
        expect(await service.fail(path, { ...bearer(key), origin })).toMatchObject(REFUSED);
      }
    }
  });

  sentence(116, async () => {
    const { key } = await registry.client('Bearer');
    await registry.until('admitted', bearer(key));
    for (const headers of [{}, NATIVE, { origin: 'null' }])
      expect(await status({ ...bearer(key), ...headers })).toBe(200);
    expect(await status({ authorization: `bearer ${key}` })).toBe(200);
    const others = [
      key,
      `Basic ${key}`,
      `Bearer ${key}x`,
      `Bearer  ${key}`,
      `Bearer ${key.slice(0, -1)}`,
      'Bearer',
      '',
    ];
    for (const authorization of others) expect(await status({ authorization }), authorization).toBe(403);
  });

  sentence(117, async () => {
    const keys = [(await registry.client('One')).key, (await registry.client('Two')).key];
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) {
      expect(key).toMatch(/^zoe_[\dA-Za-z]+$/);
      await registry.until('admitted', bearer(key));
      for (const other of [key.slice(4), key.replace('zoe_', 'zoe'), key.replace('zoe_', 'zap_'), key.toUpperCase()]) {
        expect(await status(bearer(other)), other).toBe(403);
      }
    }
  });

  sentence(118, async () => {
    const { db, by } = registry;
    const { id } = await registry.client('App', 'https://app.example');
    const { id: request } = await createRequest(db, by, { clientId: id, kind: 'user-agent', value: 'WispApp/* (iOS)' });
    const agent = { 'user-agent': 'WispApp/1.0 (iOS)' };
    expect(await status(agent)).toBe(403);
    await approveRequest(db, by, 'user-agent', request);
    await registry.until('admitted', agent);
    expect(await status({ 'user-agent': 'WispApp/2.13.4 (iOS)' })).toBe(200);
    expect(await status({ ...agent, origin: 'null' })).toBe(200);
    for (const other of [
      'WispApp/1.0 (Android)',
      'wispapp/1.0 (iOS)',
      'A WispApp/1.0 (iOS)',
      'WispApp',
      'Mozilla/5.0',
    ]) {
      expect(await status({ 'user-agent': other }), other).toBe(403);
    }
    expect(await status({ ...agent, ...bearer('zoe_wrong') })).toBe(403);
    expect(await status({ ...agent, origin: 'https://stranger.example' })).toBe(403);
  });

  sentence(119, async () => {
    await registry.client('Exact', 'https://exact.example');
    await registry.client('Wildcard', 'https://*.wild.example');
    const admitted = ['https://exact.example', 'https://a.wild.example', 'https://a.b.wild.example'];
    for (const origin of admitted) await registry.until('admitted', { origin });
    for (const origin of admitted) expect(await status({ origin }), origin).toBe(200);
    for (const origin of [
      'http://exact.example',
      'https://exact.example:8443',
      'https://a.exact.example',
      'https://exact.example.stranger.example',
      'https://wild.example',
      'https://notwild.example',
      'http://a.wild.example',
      'https://a.wild.example:8443',
      'https://a.wild.example.stranger.example',
      'https://*.wild.example',
    ]) {
      expect(await status({ origin }), origin).toBe(403);
    }
  });

  sentence(122, async () => {
    const origin = 'https://preflight.example';
    const { key } = await registry.client('Preflight', origin);
    await registry.until('admitted', { origin });
    for (const path of OPERATION_PATHS) {
      // The preflight that a browser sends before Authorization. The response does not allow that header.
      const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };
      const { ok, headers } = await fetch(service.url + path, { method: 'OPTIONS', headers: { origin, ...asked } });
      expect(ok).toBe(true);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD');
      expect(headers.get('access-control-allow-headers')).toBeNull();
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    // A plain request is admitted by its Origin, and native code by the same key without an Origin.
    expect(await status({ origin })).toBe(200);
    expect(await status(bearer(key))).toBe(200);
  });

  sentence(128, async () => {
    const { id, key } = await registry.client('Hybrid');
    await registry.until('admitted', bearer(key));
    for (const origin of [
      'capacitor://localhost',
      'tauri://localhost',
      'ionic://localhost',
      'file://',
      'app://hybrid',
    ]) {
      expect(await service.fail('/api/v1/search?q=dog', { origin })).toMatchObject(REFUSED);
      expect(await service.fail('/api/v1/search?q=dog', { origin, ...bearer(key) })).toMatchObject(REFUSED);
      const register = async () => addOrigin(registry.db, registry.by, { clientId: id, origin });
      await expect(register()).rejects.toMatchObject({ code: 'validation' });
    }
  });

  sentence(129, async () => {
    const { key } = await registry.client('Native side');
    await registry.until('admitted', bearer(key));
    for (const path of OPERATION_PATHS) {
      const response = await service.get(path, { ...NATIVE, ...bearer(key) });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  sentence(131, async () => {
    const { key } = await registry.client('Proxy');
    const proxy = { ...bearer(key), 'user-agent': 'Proxy/1.0', via: '1.1 proxy', 'x-forwarded-for': '203.0.113.5' };
    await registry.until('admitted', proxy);
    expect(await status({ ...proxy, referer: 'https://page.example/' })).toBe(200);
    expect(await status({ ...proxy, origin: 'https://page.example' })).toBe(403);
  });

  sentence(132, async () => {
    for (const path of OPERATION_PATHS) {
      expect(await service.fail(path, { origin: 'https://nobody.example' })).toMatchObject(REFUSED);
      expect(await service.fail(path, NATIVE)).toMatchObject(REFUSED);
    }
    await registry.whileDown(async () => {
      for (const [n, path] of OPERATION_PATHS.entries()) {
        const failed = await service.fail(path, { origin: `https://new-${n}.example` });
        expect(failed).toMatchObject({ status: 503, code: 'registry_unavailable' });
      }
    });
  });

  sentence(133, async () => {
    const corsHeaders = async (headers: Headers) => {
      const response = await service.get('/api/v1/search?q=dog', headers);
      return [response.status, [...response.headers.keys()].filter((name) => AFTER_ADMISSION.test(name))];
    };
    expect(await corsHeaders({ origin: 'https://nobody.example' })).toEqual([403, []]);
    await registry.whileDown(async () => {
      expect(await corsHeaders({ origin: 'https://unlucky.example' })).toEqual([503, []]);
    });
    expect(await corsHeaders({ origin: 'http://localhost' })).toEqual([
      200,
      ['access-control-allow-origin', 'access-control-expose-headers'],
    ]);
  });

  sentence(134, async () => {
    const elsewhere = admissionElsewhere();
    const origin = 'https://soon.example';
    expect(await status({ origin })).toBe(403);
    expect(await elsewhere({ origin })).toBe('client_not_registered');
    const { id, key } = await registry.client('Soon', origin);
    for (const headers of [{ origin }, bearer(key)]) await registry.until('admitted', headers);
    // Without a notification, the 403 is cached for five minutes. The key was never refused, so it works immediately.
    expect(await elsewhere(bearer(key))).toBe(id);
    time.ms += 299_999;
    expect(await elsewhere({ origin })).toBe('client_not_registered');
    time.ms += 1;
    expect(await elsewhere({ origin })).toBe(id);
  });

  sentence(135, async () => {
    const elsewhere = admissionElsewhere();
    const origin = 'https://gone.example';
    const { id, key, keyId } = await registry.client('Gone');
    const { id: originId } = await addOrigin(registry.db, registry.by, { clientId: id, origin });
    const both = [{ origin }, bearer(key)];
    for (const headers of both) await registry.until('admitted', headers);
    for (const headers of both) expect(await elsewhere(headers)).toBe(id);
    await removeOrigin(registry.db, registry.by, originId);
    await revokeKey(registry.db, registry.by, keyId);
    for (const headers of both) await registry.until('refused', headers);
    time.ms += 3_599_999;
    for (const headers of both) expect(await elsewhere(headers)).toBe(id);
    time.ms += 1;
    for (const headers of both) expect(await elsewhere(headers)).toBe('client_not_registered');
  });

  sentence(138, async () => {
    expect(await overstepLimits('authentication')).toEqual([
      expect.stringMatching(/^Clients of the pubkey \w+ must be at most 5;/),
      expect.stringMatching(/^owners .* must be at most 10;/),
      expect.stringMatching(/^origins .* must be at most 20;/),
      expect.stringMatching(/^API keys .* must be at most 10;/),
      expect.stringMatching(/^User-Agents .* must be at most 10;/),
      expect.stringMatching(/^Pending requests .* must be at most 10;/),
    ]);
  });
});

describe('Errors', () => {
  sentence(147, async () => {
    const { key } = await registry.client('Known');
    await registry.until('admitted', bearer(key));
    await registry.whileDown(async () => {
      const response = await service.get('/api/v1/search?q=dog', { origin: 'https://unknown.example' });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await response.json()).toMatchObject({ error: { code: 'registry_unavailable' } });
      expect(await status({ origin: 'http://localhost' })).toBe(200);
    });
    expect(await status({ origin: 'https://unknown.example' })).toBe(403);
    // Known callers are still admitted. The notification that this client was registered can arrive late and
    // clear the cache of callers, so retry.
    await vi.waitFor(
      async () => {
        expect(await status(bearer(key))).toBe(200);
        await registry.whileDown(async () => expect(await status(bearer(key))).toBe(200));
      },
      { timeout: 480_000 },
    );
  });
});

describe('Limits', () => {
  sentence(162, async () => {
    const elsewhere = admissionElsewhere();
    const origin = 'https://limits.example';
    expect(await elsewhere({ origin })).toBe('client_not_registered');
    const { id } = await registry.client('Limits', origin);
    time.ms += 300_000;
    expect(await elsewhere({ origin })).toBe(id);
    await deleteClient(registry.db, registry.by, id);
    time.ms += 3_600_000;
    expect(await elsewhere({ origin })).toBe('client_not_registered');
    // A service that is notified of changes needs only a moment.
    await registry.client('Limits again', origin);
    await registry.until('admitted', { origin });
  });

  sentence(165, async () => {
    const refusals = await overstepLimits('limits');
    const most = refusals.map((message) => Number(/at most (\d+)/.exec(message)?.[1]));
    expect(most).toEqual([5, 10, 20, 10, 10, 10]);
    // The last origin and User-Agent within the limit work.
    await registry.until('admitted', { origin: 'https://limits-19.example' });
    expect(await status({ 'user-agent': 'limitsApp9/1.0' })).toBe(200);
    expect(await status({ origin: 'https://limits-20.example' })).toBe(403);
  });
});
