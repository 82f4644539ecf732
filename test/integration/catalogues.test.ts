import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { SearchResponse } from '@zoetrope/contract';
import Sqlite from 'better-sqlite3';
import { finalizeEvent, generateSecretKey, getPublicKey, verifyEvent } from 'nostr-tools/pure';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Row, writeManifest } from '../support/catalogue.ts';
import { freePort, type Server, spawnZoetrope, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/* One service publishes its catalogue, and another one follows it. */

/** Maximum time until the running service has made a build and uses it. It is long enough for a busy machine. */
const SOON = { timeout: 480_000, interval: 250 };
const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_MEDIA_VIDEO: 'off', ZOETROPE_FETCH_ALLOW_PRIVATE: 'true' };
const KEY = generateSecretKey();
const FILES = { manifest: 'manifest.json', part: /\/[0-9a-f]{64}\.jsonl\.gz$/ };

interface Manifest {
  format: number;
  generation: number;
  gifs: number;
  bits: number;
  parts: ({ sha256: string; bytes: number; gifs: number } | null)[];
  [field: string]: unknown;
}

/** Changes that somebody between a publisher and its followers could make to the publisher's files. */
interface Files {
  /** Changes the manifest and signs it again. */
  manifest?: (manifest: Manifest) => void;
  key?: Uint8Array;
  /** Changes the event after it was signed. */
  event?: (event: Record<string, unknown>) => void;
  /** Replaces a part. */
  part?: (bytes: Buffer) => Buffer;
  /** Answers instead of the publisher. */
  answer?: (request: http.IncomingMessage, response: http.ServerResponse) => boolean;
}

/** A proxy in front of a publisher. It records requests, and can change responses. */
class Between {
  readonly asked: string[] = [];
  bytes = 0;
  changed: Files = {};
  readonly #server: http.Server;
  readonly url: string;

  private constructor(server: http.Server, target: string) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request, response, target));
  }

  static async start(target: string): Promise<Between> {
    const server = http.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Between(server, target);
  }

  get parts(): string[] {
    return this.asked.filter((url) => FILES.part.test(url));
  }

  forget(): void {
    this.asked.length = 0;
    this.bytes = 0;
    this.changed = {};
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse, target: string): Promise<void> {
    const url = request.url!;
    this.asked.push(url);
    if (this.changed.answer?.(request, response)) return;
    const answer = await fetch(target + url).catch(() => undefined);
    if (answer === undefined) return void response.destroy();
    const given = Buffer.from(await answer.arrayBuffer());
    const bytes = answer.ok ? this.#change(url, given) : given;
    this.bytes += bytes.length;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! }).end(bytes);
  }

  #change(url: string, bytes: Buffer): Buffer {
    const { manifest: change, key = KEY, event: forge, part } = this.changed;
    if (FILES.part.test(url)) return part ? part(bytes) : bytes;
    let event = JSON.parse(bytes.toString());
    if (change !== undefined || key !== KEY) {
      const manifest = JSON.parse(event.content) as Manifest;
      change?.(manifest);
      const { kind, created_at, tags } = event;
      event = finalizeEvent({ kind, created_at, tags, content: JSON.stringify(manifest) }, key);
    }
    forge?.(event);
    return Buffer.from(JSON.stringify(event));
  }
}

const folder = temporaryFolder();
let publisher: Server;
let publishing: Record<string, string>;
const publisherData = path.join(folder.path, 'publisher');

/** More GIFs than fit into one part. */
const COUNT = 2_400;
const rows: Row[] = Array.from({ length: COUNT }, (_, n) => ({
  ...{ id: `gif-${n}.gif`, title: `dance number${n}`, tags: ['dance'], width: 32, height: 32, source: 'archive' },
}));

async function addRows(data: string, env: Record<string, string>, name: string, added: readonly Row[]): Promise<void> {
  const { code, stderr } = await zoetrope(
    data,
    ['add', '--quiet', writeManifest(path.join(folder.path, name), added)],
    env,
  );
  expect(code, stderr).toBe(0);
}

async function publish(): Promise<{ changed: number; gifs: number }> {
  const { code, stdout, stderr } = await zoetrope(
    publisherData,
    ['catalogue', 'publish', '--json', '--quiet'],
    publishing,
  );
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

const follow = (data: string, url: string) => zoetrope(data, ['add', '--quiet', url], ENV);

async function titles(data: string, words: string): Promise<string[]> {
  await using server = await startServer(data, { ...ENV, ZOETROPE_BACKGROUND: 'off' });
  return await search(server, words);
}

function idsIn(data: string): unknown[] {
  const database = new Sqlite(path.join(data, 'zoetrope.db'), { readonly: true });
  try {
    return database.prepare('select id from gifs').pluck().all();
  } finally {
    database.close();
  }
}

async function search(server: Server, words: string): Promise<string[]> {
  const response = await server.get(`/api/v1/search?mode=text&limit=24&q=${encodeURIComponent(words)}`);
  return ((await response.json()) as SearchResponse).items.map(({ title }) => title);
}

beforeAll(async () => {
  const port = await freePort();
  publishing = {
    ...ENV,
    ZOETROPE_PORT: `${port}`,
    ZOETROPE_PUBLISH: 'on',
    ZOETROPE_NOSTR_KEY: Buffer.from(KEY).toString('hex'),
    ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    // The tests publish when they need it, so that nothing is published in between.
    ZOETROPE_BACKGROUND: 'off',
  };
  const hidden = { id: 'hidden.gif', title: 'hidden dance', width: 32, height: 32 };
  const adult = { id: 'adult.gif', title: 'adult dance', width: 32, height: 32, adult: true };
  await addRows(publisherData, publishing, 'rows.jsonl', [...rows, hidden, adult]);
  expect((await zoetrope(publisherData, ['gif', 'hide', 'hidden.gif'], publishing)).code).toBe(0);
  await publish();
  publisher = await startServer(publisherData, publishing);
});

afterAll(async () => {
  await publisher?.stop();
  folder[Symbol.dispose]();
});

describe('a catalogue', () => {
  let between: Between;
  let data: string;
  let number = 0;

  beforeEach(async () => {
    between = await Between.start(publisher.url);
    data = path.join(folder.path, `follower-${number++}`);
  });

  afterEach(() => between.stop());

  test('is a Nostr event of the publisher that lists exactly the GIFs that are shown', async () => {
    const event = await (await fetch(`${publisher.url}/catalogue/manifest.json`)).json();
    expect(verifyEvent(event)).toBe(true);
    expect(event.pubkey).toBe(getPublicKey(KEY));
    const manifest = JSON.parse(event.content) as Manifest;
    expect(manifest).toMatchObject({ gifs: COUNT, name: 'Zoetrope', bits: 2 });
    const lines: Row[] = [];
    for (const part of manifest.parts) {
      const bytes = Buffer.from(
        await (await fetch(`${publisher.url}/catalogue/${part!.sha256}.jsonl.gz`)).arrayBuffer(),
      );
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(part!.sha256);
      lines.push(
        ...gunzipSync(bytes)
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
    }
    expect(new Set(lines.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)));
    expect(lines.find(({ id }) => id === 'gif-7.gif')).toMatchObject({
      ...{ url: 'https://gifs.example/gif-7.gif', title: 'dance number7', tags: ['dance'], adult: null },
      ...{ width: 32, height: 32, source: 'archive', format: 'gif' },
    });
  });

  test('is followed: changes and removals arrive, and only the parts with them are fetched', async () => {
    const { code, stderr } = await follow(data, between.url);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`${COUNT} GIFs in 4 changed parts`);
    await using server = await startServer(data, { ...ENV, ZOETROPE_TEST_FOLLOW_SECONDS: '1' });
    expect(await search(server, 'number7')).toEqual(['dance number7']);
    expect((await zoetrope(data, ['gif', 'hide', 'gif-9.gif'], ENV)).code).toBe(0);

    between.forget();
    const changed = rows.map((row) => (row.id === 'gif-7.gif' ? { ...row, title: 'waltz number7' } : row));
    await addRows(publisherData, publishing, 'rows.jsonl', changed);
    expect((await publish()).changed).toBe(1);
    await vi.waitFor(async () => expect(await search(server, 'waltz')).toEqual(['waltz number7']), SOON);
    expect(new Set(between.parts).size).toBe(1);

    expect((await zoetrope(publisherData, ['gif', 'hide', 'gif-7.gif'], publishing)).code).toBe(0);
    await publish();
    await vi.waitFor(async () => expect(await search(server, 'waltz')).toEqual([]), SOON);
    expect((await zoetrope(publisherData, ['gif', 'show', 'gif-7.gif'], publishing)).code).toBe(0);
    await publish();
    await vi.waitFor(async () => expect(await search(server, 'waltz')).toEqual(['waltz number7']), SOON);
    // The follower's own decision stays.
    expect(await search(server, 'number9')).toEqual([]);
  });

  const PART_OF = (lines: string[]) => gzipSync(`${lines.join('\n')}\n`);
  /** Replaces the first part by one that the publisher signed. */
  const signedPart = (change: (lines: string[]) => string[]): Files => {
    let made: Buffer | undefined;
    return {
      manifest(manifest) {
        const { sha256 } = manifest.parts[0]!;
        const file = fs.readFileSync(path.join(publisherData, 'catalogue', `${sha256}.jsonl.gz`));
        made = PART_OF(change(gunzipSync(file).toString().trim().split('\n')));
        const hash = createHash('sha256').update(made).digest('hex');
        manifest.parts[0] = { sha256: hash, bytes: made.length, gifs: manifest.parts[0]!.gifs };
      },
      answer(request, response) {
        if (made === undefined || !request.url!.includes(createHash('sha256').update(made).digest('hex'))) return false;
        response.writeHead(200, { 'content-type': 'application/gzip' }).end(made);
        return true;
      },
    };
  };

  test.each<[string, Files, string]>([
    [
      'a part that was changed',
      { part: (bytes) => Buffer.from(bytes.map((byte, at) => (at === 200 ? byte ^ 1 : byte))) },
      'another hash',
    ],
    ['a part that was cut', { part: (bytes) => bytes.subarray(0, -1) }, 'bytes instead of'],
    ['a part that is too long', { part: (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]) }, 'larger than'],
    [
      'a manifest that was changed',
      { event: (event) => Object.assign(event, { content: `${event['content']} ` }) },
      'signature of the manifest is wrong',
    ],
    [
      'a manifest with another signature',
      { event: (event) => Object.assign(event, { sig: '0'.repeat(128) }) },
      'signature of the manifest is wrong',
    ],
    [
      'a line of 1 MB',
      signedPart(([line, ...rest]) => [line!.replace('dance', 'd'.repeat(1_000_000)), ...rest]),
      'line 1 has more than 200000 characters',
    ],
    [
      'a GIF in another part',
      signedPart(([, ...rest]) => [JSON.stringify({ id: 'gif-x0.gif', url: 'https://a.example/a.gif' }), ...rest]),
      'belongs to another part',
    ],
    [
      'a line with a file of this machine',
      signedPart(([line, ...rest]) => [line!.replace('"url"', '"file":"/etc/passwd","url"'), ...rest]),
      'file is not allowed',
    ],
  ])('is refused with %s', async (_, changed, message) => {
    between.changed = changed;
    const { code, stderr } = await follow(data, between.url);
    expect(code).not.toBe(0);
    expect(stderr).toContain(between.url);
    expect(stderr).toContain(message);
    expect(idsIn(data)).toEqual([]);
  });

  test('is refused with another key, an older generation, or two manifests of one generation', async () => {
    await follow(data, between.url);
    between.changed = { key: generateSecretKey() };
    const other = await follow(data, between.url);
    expect(other.stderr).toContain('signed by another key: npub1');
    expect(other.code).not.toBe(0);
    between.changed = { manifest: (manifest) => manifest.generation-- };
    expect((await follow(data, between.url)).stderr).toContain('older than one that was read before');
    between.changed = { manifest: (manifest) => Object.assign(manifest, { name: 'another name' }) };
    expect((await follow(data, between.url)).stderr).toContain('two manifests of generation');
    const { stdout } = await zoetrope(data, ['catalogue', 'list'], ENV);
    expect(stdout).toContain('two manifests of generation');
    expect(await titles(data, 'number11')).toEqual(['dance number11']);
  });

  test('that stops in the middle is continued, and parts that were read are not read again', async () => {
    let parts = 0;
    between.changed = {
      answer(request, response) {
        if (!FILES.part.test(request.url!) || ++parts <= 2) return false;
        response.destroy();
        return true;
      },
    };
    // The follower keeps following this catalogue after the failure, because it has accepted the manifest.
    const cut = await follow(data, between.url);
    expect(cut.code).not.toBe(0);
    const read = between.parts.slice(0, 2);
    between.forget();
    const { code, stderr } = await follow(data, between.url);
    expect(code, stderr).toBe(0);
    expect(new Set(between.parts).size).toBe(2);
    expect(between.parts).not.toContain(read[0]);
    expect(await titles(data, 'number2399')).toEqual(['dance number2399']);
  });

  test('is continued after the follower was killed', async () => {
    const asked = Promise.withResolvers<void>();
    let parts = 0;
    between.changed = {
      answer(request) {
        if (!FILES.part.test(request.url!) || ++parts <= 2) return false;
        asked.resolve();
        return true; // never answers
      },
    };
    const child = spawnZoetrope(data, ['add', '--quiet', between.url], ENV);
    await asked.promise;
    const list = async () => JSON.parse((await zoetrope(data, ['catalogue', 'list', '--json'], ENV)).stdout);
    await vi.waitFor(async () => expect(await list()).toMatchObject([{ gifs: COUNT, readAt: 0 }]), SOON);
    child.kill('SIGKILL');
    await once(child, 'exit');
    between.forget();
    const { code, stderr } = await follow(data, between.url);
    expect(code, stderr).toBe(0);
    expect(await titles(data, 'number2398')).toEqual(['dance number2398']);
  });

  test('is verified without being added', async () => {
    const verify = () => zoetrope(data, ['catalogue', 'verify', '--quiet', between.url], ENV);
    const { code, stdout, stderr } = await verify();
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`All is right: ${COUNT} GIFs in 4 parts`);
    between.changed = { part: (bytes) => bytes.subarray(0, -1) };
    expect((await verify()).stderr).toContain('bytes instead of');
  });
});

test('two services that follow each other publish only their own GIFs', async () => {
  const data = path.join(folder.path, 'friend');
  const port = await freePort();
  const env = { ...publishing, ZOETROPE_PORT: `${port}`, ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${port}` };
  await addRows(data, env, 'friend.jsonl', [
    { id: 'friend.gif', title: 'friendly dance', width: 32, height: 32 },
    // Both services have this GIF, so each of them keeps its own version.
    { id: 'gif-3.gif', title: 'my own title', width: 32, height: 32 },
  ]);
  const at = (command: string[]) => zoetrope(data, command, env);
  await at(['add', '--quiet', publisher.url]);
  await at(['catalogue', 'publish', '--quiet']);
  await using friend = await startServer(data, env);
  const manifest = async () =>
    JSON.parse((await (await friend.get('/catalogue/manifest.json')).json()).content) as Manifest;
  expect(await manifest()).toMatchObject({ gifs: 2 });
  expect(await search(friend, 'my own title')).toContain('my own title');
  const { code, stderr } = await zoetrope(publisherData, ['add', '--quiet', friend.url], publishing);
  expect(code, stderr).toBe(0);
  const { generation } = await manifest();
  expect((await publish()).changed).toBe(0);
  await at(['add', '--quiet', publisher.url]);
  await at(['catalogue', 'publish', '--quiet']);
  expect((await manifest()).generation).toBe(generation);
  // When a catalogue is removed, its GIFs can be removed, too.
  expect((await zoetrope(publisherData, ['catalogue', 'remove', '--gifs', friend.url], publishing)).stdout).toContain(
    'This removed 1 GIF.',
  );
});
