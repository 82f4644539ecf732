import { npubEncode } from 'nostr-tools/nip19';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RelayEvent } from '../../packages/server/src/platform/relay/index.ts';
import { FilledRelay } from '../../packages/server/src/platform/relay/testing/relay.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/* The running service follows relays in a separate process, and reports their state. */

using folder = temporaryFolder();
const data = `${folder.path}/data`;
const key = generateSecretKey();
let relay: FilledRelay;
let server: Server;
let metricsPort: number;

function file(n: number, url: string): RelayEvent {
  const tags = [
    ['url', url],
    ['m', 'image/gif'],
    ['x', n.toString(16).padStart(64, '0')],
  ];
  return finalizeEvent({ kind: 1063, created_at: Math.floor(Date.now() / 1_000) - n, content: `cat ${n}`, tags }, key);
}

interface Report {
  relays: { url: string; state: string; counts: Record<string, number> }[];
  addresses: { state: string; reason: string | null; n: number }[];
}

async function report(): Promise<Report> {
  const { stdout, stderr, code } = await zoetrope(data, ['relays', '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  metricsPort = await freePort();
  relay = await FilledRelay.start();
  relay.publish([file(1, 'https://127.0.0.1/a.gif'), file(2, 'http://gifs.example/a.gif')]);
  const settings = {
    ZOETROPE_RELAYS: relay.url,
    ZOETROPE_METRICS_PORT: String(metricsPort),
    ZOETROPE_EMBEDDER: 'none',
  };
  server = await startServer(data, settings);
});

afterAll(async () => {
  await server.stop();
  await relay.down();
});

test('a relay in the configuration is read, and followed live', async () => {
  await vi.waitUntil(async () => (await report()).addresses.length > 0, { timeout: 480_000 });
  relay.publish([file(3, 'https://10.0.0.1/b.gif')]);
  const isTaken = async () => (await report()).relays[0]?.counts['taken'] === 2;
  await vi.waitUntil(isTaken, { timeout: 480_000 });
  const [read] = (await report()).relays;
  expect(read).toMatchObject({ url: relay.url, state: 'connected', counts: { taken: 2 } });
  // Rejected events are not remembered. Therefore a rejected event counts twice if it arrives both in a page and live.
  expect(read!.counts['not_https']).toBeGreaterThan(0);
});

test('an address in a private network is not fetched', async () => {
  const isRefused = async () =>
    expect((await report()).addresses).toEqual([{ state: 'refused', reason: 'private_address', n: 2 }]);
  await vi.waitFor(isRefused, { timeout: 480_000 });
});

test('metrics report the relay', async () => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(text).toContain(`zoetrope_relay_connected{relay="${relay.url}"} 1`);
  expect(text).toContain(`zoetrope_relay_events_total{relay="${relay.url}",outcome="taken"} 2`);
  expect(text).toContain('zoetrope_relay_addresses{state="refused",reason="private_address"} 2');
});

test('only events of authors that the listed people follow are ingested', async () => {
  const [me, friend, stranger] = [key, generateSecretKey(), generateSecretKey()];
  const now = Math.floor(Date.now() / 1_000);
  const about = (n: number) => [
    ['url', `https://10.0.0.${n}/a.gif`],
    ['m', 'image/gif'],
  ];
  const others = await FilledRelay.start({ compares: true });
  others.publish([
    finalizeEvent({ kind: 3, created_at: now, content: '', tags: [['p', getPublicKey(friend)]] }, me),
    finalizeEvent({ kind: 1063, created_at: now, content: 'of a friend', tags: about(1) }, friend),
    finalizeEvent({ kind: 1063, created_at: now, content: 'of a stranger', tags: about(2) }, stranger),
  ]);
  const own = `${folder.path}/followed`;
  const settings = { ZOETROPE_RELAY_AUTHORS: 'followed', ZOETROPE_EMBEDDER: 'none' };
  const nobody = await zoetrope(own, ['add', others.url, '--quiet'], settings);
  expect(nobody.stderr).toContain('ZOETROPE_RELAY_PUBKEYS is empty');
  const named = { ...settings, ZOETROPE_RELAY_PUBKEYS: npubEncode(getPublicKey(me)) };
  const added = await zoetrope(own, ['add', others.url, '--quiet'], named);
  expect(added.code, added.stderr).toBe(0);
  const { stdout } = await zoetrope(own, ['relays', 'list', '--json'], named);
  expect(JSON.parse(stdout)).toMatchObject({ relays: [{ counts: { taken: 1 } }], addresses: [{ n: 1 }] });
  const table = (await zoetrope(own, ['relays'], named)).stdout;
  expect(table).toContain('1 event ingested');
  expect(table).toContain(`read up to ${new Date().toISOString().slice(0, 4)}-`);
  await others.down();
});

test('marks of an author can be ignored and considered again, by npub or hexadecimal', async () => {
  const marks = async (verb: string, subject: string) => {
    const { stdout, stderr } = await zoetrope(data, ['relays', verb, subject]);
    return (stdout + stderr).trim();
  };
  expect(await marks('ignore-marks', npubEncode(getPublicKey(key)))).toBe('Done. Affected GIFs: 0');
  expect(await marks('count-marks', getPublicKey(key))).toBe('Done. Affected GIFs: 0');
  // The command also works under its former name.
  expect(await marks('heed-marks', getPublicKey(key))).toContain('Nothing changed');
  expect(await marks('ignore-marks', 'npub1nobody')).toContain('not the id of a GIF from relays');
});

test('an invalid relay port ends the start with a clear error', async () => {
  const { code, stderr } = await zoetrope(`${folder.path}/none`, ['serve'], { ZOETROPE_RELAYS: 'wss://host:99999' });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('ZOETROPE_RELAYS: wss://host:99999: the port must be at most'),
  ]);
  expect(stderr).not.toContain('    at ');
});

test('the running service follows a relay that is added, until it is removed', async () => {
  const other = await FilledRelay.start();
  const added = await zoetrope(data, ['add', other.url, '--quiet']);
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain('now reads the relay and follows it');
  const stateOf = async () => (await report()).relays.find(({ url }) => url === other.url)?.state;
  await vi.waitUntil(async () => (await stateOf()) === 'connected', { timeout: 480_000 });
  expect((await zoetrope(data, ['relays', 'remove', other.url])).code).toBe(0);
  await vi.waitUntil(async () => (await stateOf()) === 'stopped', { timeout: 480_000 });
  const refused = await zoetrope(data, ['relays', 'remove', relay.url], { ZOETROPE_RELAYS: relay.url });
  expect(refused.stderr).toContain('ZOETROPE_RELAYS');
  await other.down();
});
