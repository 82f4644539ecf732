import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { Gif, SearchResponse } from '@zoetrope/contract';
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Domains, startDomains } from '../../packages/server/src/account/testing/domains.ts';
import { countAddresses } from '../../packages/server/src/claims/index.ts';
import { listReports } from '../../packages/server/src/moderation/index.ts';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { FilledRelay } from '../../packages/server/src/platform/relay/testing/relay.ts';
import { foldersOf } from '../../packages/server/src/service/store.ts';
import { smallGif, writeManifest } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/* Strangers who publish on a followed relay cannot change GIFs that the operator added. */

const OWN_HOST = 'files.example';
const EVIL_HOST = 'evil.example';
/** A host that accepts connections and never responds. */
const SILENT_HOST = 'silent.example';
const INTERNET = new URL('../e2e/internet.ts', import.meta.url);
/** Timeout for reading relays, which have low priority, so reading takes long on a busy machine. */
const PATIENCE = { timeout: 480_000, interval: 100 };

const [LINKED, OWN] = [1, 2].map((seed) => smallGif(seed)) as [Uint8Array, Uint8Array];
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(!parts.openssl)('a hostile relay', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const key = generateSecretKey();
  let domains: Domains;
  let relay: FilledRelay;
  let server: Server;

  beforeAll(async () => {
    domains = await startDomains([OWN_HOST, EVIL_HOST, SILENT_HOST]);
    domains.answers.set(SILENT_HOST, () => {});
    const files = new Map([LINKED, OWN].map((bytes) => [`/${hashOf(bytes)}.gif`, bytes]));
    for (const host of [OWN_HOST, EVIL_HOST]) {
      domains.answers.set(host, (request, response) => {
        const bytes = files.get(request.url!);
        response.writeHead(bytes ? 200 : 404, { 'content-type': 'image/gif' }).end(bytes);
      });
    }
    fs.mkdirSync(`${folder.path}/gifs`);
    fs.writeFileSync(`${folder.path}/gifs/own dance.gif`, OWN);
    const sha256 = hashOf(LINKED);
    const row = { id: `${sha256}.gif`, sha256, url: `https://${OWN_HOST}/${sha256}.gif`, title: 'linked dance' };
    const linked = writeManifest(`${folder.path}/linked.jsonl`, [{ ...row, width: 8, height: 8 }]);
    fs.writeFileSync(`${folder.path}/authority.pem`, domains.options.ca!);
    relay = await FilledRelay.start();
    const env = {
      ZOETROPE_RELAYS: relay.url,
      ZOETROPE_RELAY_LIMITS: 'authorEvents=20',
      ZOETROPE_EMBEDDER: 'none',
      ZOETROPE_TEST_INTERNET: `${domains.options.port}`,
      NODE_OPTIONS: `--import=${INTERNET.href}`,
      NODE_EXTRA_CA_CERTS: `${folder.path}/authority.pem`,
    };
    const added = await zoetrope(data, ['add', '--quiet', `${folder.path}/gifs`, linked], env);
    expect(added.code, added.stderr).toBe(0);
    server = await startServer(data, env);
  });

  afterAll(async () => {
    await server?.stop();
    await relay?.down();
    domains?.stop();
    folder[Symbol.dispose]();
  });

  /** Returns an event about a file at the stranger's own URL, with an early date. */
  function file(bytes: Uint8Array, content: string, more: string[][] = [], by = key) {
    const sha256 = hashOf(bytes);
    const tags = [['url', `https://${EVIL_HOST}/${sha256}.gif`], ['m', 'image/gif'], ['x', sha256], ...more];
    return finalizeEvent({ kind: 1063, created_at: 1_000_000_000, content, tags }, by);
  }

  async function search(word: string): Promise<Gif[]> {
    const answer = await server.get(`/api/v1/search?q=${word}&mode=text`);
    return ((await answer.json()) as SearchResponse).items;
  }

  /** Waits until a word that strangers added finds both of the operator's GIFs. */
  async function bothFoundBy(word: string): Promise<Gif[]> {
    await vi.waitUntil(async () => (await search(word)).length === 2, PATIENCE);
    return search(word);
  }

  test('cannot replace a URL or a title from the operator', async () => {
    relay.publish([file(LINKED, 'buy my coin'), file(OWN, 'buy my coin')]);
    const items = await bothFoundBy('coin');
    expect(items.map(({ title }) => title).sort()).toEqual(['linked dance', 'own dance']);
    expect(items.map(({ url }) => new URL(url).host)).not.toContain(EVIL_HOST);
    expect(items.find(({ title }) => title === 'linked dance')?.url).toContain(`https://${OWN_HOST}/`);
  });

  test('cannot hide GIFs that the operator added: its marks become reports', async () => {
    const marks = [
      ['content-warning', 'nudity'],
      ['t', 'marked'],
    ];
    relay.publish([LINKED, OWN].map((bytes) => file(bytes, '', marks, generateSecretKey())));
    const items = await bothFoundBy('marked');
    const db = openDatabase(foldersOf(data).database, { readonly: true });
    const reports = await listReports(db, { state: 'open' }).finally(() => db.destroy());
    expect(reports.map(({ gif, reason }) => [gif, reason]).sort()).toEqual(items.map(({ id }) => [id, 'adult']).sort());
  });

  test('with a flooding author can neither fill the catalogue or the reports nor delay others', async () => {
    const flooder = generateSecretKey();
    const now = Math.floor(Date.now() / 1_000);
    const flood = Array.from({ length: 300 }, (_, n) => {
      const tags = [
        ['url', `https://${SILENT_HOST}/${n}.gif`],
        ['m', 'image/gif'],
      ];
      return finalizeEvent({ kind: 1063, created_at: now - n, content: `flood ${n}`, tags }, flooder);
    });
    const complaints = Array.from({ length: 100 }, (_, n) => {
      const tags = [['x', hashOf(OWN), 'spam']];
      return finalizeEvent({ kind: 1984, created_at: now - 20 * 86_400 - n, content: 'bad', tags }, flooder);
    });
    relay.publish([...flood, ...complaints, file(OWN, 'after the flood', [['t', 'afterwards']])]);
    await vi.waitUntil(async () => (await search('afterwards')).length === 1, PATIENCE);
    const [own] = await search('afterwards');
    const body = new URLSearchParams({ gif: own!.url, reason: 'other', message: 'by the form', contact: '' });
    const headers = { origin: server.url };
    const sent = await fetch(`${server.url}/report`, { method: 'POST', body, headers, redirect: 'manual' });
    expect(sent.status).toBe(303);
    const db = openDatabase(foldersOf(data).database, { readonly: true });
    const reports = await listReports(db, { state: 'open' });
    const addresses = await countAddresses(db).finally(() => db.destroy());
    expect(reports.filter(({ message }) => message === 'bad')).toHaveLength(20);
    expect(reports.at(-1)).toMatchObject({ reporter: 'form', message: 'by the form' });
    const waiting = addresses.filter(({ state }) => state !== 'there').reduce((sum, { n }) => sum + n, 0);
    expect(waiting).toBe(20);
  });
});
