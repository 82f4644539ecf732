import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventTemplate, saveTo } from '../../packages/client/src/blossom.ts';
import type { Gif, TrendingResponse } from '../../packages/client/src/index.ts';
import { moderate } from '../../packages/server/src/moderation/index.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { findFile } from '../../packages/server/src/uploads/index.ts';
import { type BlossomServer, startBlossomServer } from '../support/blossom-server.ts';
import { blocksGif, writeGifs } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { TOOLS } from './app.ts';

/** The service reads a file in a process of its own, which takes long on a busy machine. */
const SLOW = { timeout: 480_000, interval: 250 };

describe.skipIf(!parts.packageTools)('clients of Blossom', () => {
  const folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const secret = generateSecretKey();
  const signer = { signEvent: async (event: EventTemplate) => finalizeEvent(event, secret) };
  const MEMBERS = { ZOETROPE_MEMBERS: getPublicKey(secret), ZOETROPE_MEMBER_LIMITS: 'memberFiles=2' };
  let service: Server;
  let store: Awaited<ReturnType<typeof openStore>>;
  let gifs: (Gif & { sha256: string })[];
  const others: BlossomServer[] = [];
  // The package is imported by path, because it is installed only for tests.
  let sdk: Record<string, (...args: unknown[]) => Promise<unknown>>;

  beforeAll(async () => {
    const load = (name: string) => import(pathToFileURL(path.join(TOOLS, 'blossom-client-sdk/lib', name)).href);
    sdk = { ...(await load('actions/index.js')), ...(await load('auth.js')) };
    const files = path.join(folder.path, 'gifs');
    writeGifs(files, 2);
    const { code, stderr } = await zoetrope(data, ['add', '--quiet', files], { ZOETROPE_EMBEDDER: 'none' });
    expect(code, stderr).toBe(0);
    service = await startServer(data, { ZOETROPE_EMBEDDER: 'none', ...MEMBERS });
    store = await openStore(data);
    const response = await service.get('/api/discover/v1/trending');
    gifs = ((await response.json()) as TrendingResponse).items as (Gif & { sha256: string })[];
    for (let n = 0; n < 2; n++) others.push(await startBlossomServer());
  });

  afterAll(async () => {
    for (const other of others) await other.stop();
    await service?.stop();
    await store?.db.destroy();
    folder[Symbol.dispose]();
  });

  it('blossom-client-sdk reads a GIF by its hash, and mirrors it', async () => {
    const [gif] = gifs;
    expect(await sdk['hasBlob']!(service.url, gif!.sha256)).toBe(true);
    expect(await sdk['hasBlob']!(service.url, '0'.repeat(64))).toBe(false);
    const downloaded = (await sdk['downloadBlob']!(service.url, gif!.sha256)) as Response;
    const bytes = Buffer.from(await downloaded.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(gif!.sha256);
    const blob = { url: gif!.url, sha256: gif!.sha256, size: bytes.length, type: 'image/gif', uploaded: 1 };
    const auth = await sdk['createMirrorAuth']!(signer.signEvent, gif!.sha256);
    await sdk['mirrorBlob']!(others[0]!.url, blob, { auth });
    expect(others[0]!.blobs.get(gif!.sha256)?.equals(bytes)).toBe(true);
  });

  it('the client saves a GIF on two servers with one request each', async () => {
    const gif = gifs[1]!;
    for (const { asked } of others) asked.length = 0;
    const saved = await saveTo(
      gif,
      others.map(({ url }) => url),
      signer,
    );
    expect(saved).toEqual(others.map(({ url }) => ({ server: url, url: `${url}/${gif.sha256}.gif` })));
    for (const { asked, blobs } of others) {
      expect(asked).toEqual(['PUT /mirror']);
      expect(createHash('sha256').update(blobs.get(gif.sha256)!).digest('hex')).toBe(gif.sha256);
    }
  });

  it('a hidden GIF is gone', async () => {
    const gif = gifs[1]!;
    await zoetrope(data, ['gif', 'hide', gif.id, '--reason', 'test']);
    await expect.poll(() => sdk['hasBlob']!(service.url, gif.sha256)).toBe(false);
  });

  const isInReview = async (sha256: string) => (await findFile(store.db, sha256))?.inReview;
  const decide = (sha256: string, action: 'safe' | 'hide') =>
    moderate(store.db, { actor: 'test', now: Date.now() }, `${sha256}.gif`, { action });
  const drawn = (seed: number) =>
    new Blob([Buffer.from(blocksGif({ width: 60, height: 60, delays: [10, 10], seed }))], { type: 'image/gif' });
  const hashOf = async (blob: Blob) =>
    createHash('sha256')
      .update(await blob.bytes())
      .digest('hex');
  const isServed = async (sha256: string) => (await service.get(`/${sha256}.gif`, {})).status === 200;

  it('a member uploads a file with blossom-client-sdk, and nobody gets it before an operator accepts it', async () => {
    const file = drawn(100);
    const sha256 = await hashOf(file);
    const auth = await sdk['createUploadAuth']!(signer.signEvent, file);
    expect(await sdk['uploadBlob']!(service.url, file, { auth })).toMatchObject({
      ...{ url: `${service.url}/${sha256}.gif`, sha256, size: file.size, type: 'image/gif' },
    });
    await expect.poll(() => isInReview(sha256), SLOW).toBe(true);
    expect(await isServed(sha256)).toBe(false);
    await expect(sdk['uploadBlob']!(service.url, file, { onAuth: async () => auth })).rejects.toThrow('already used');
    await decide(sha256, 'safe');
    await expect.poll(() => isServed(sha256), SLOW).toBe(true);
  });

  it('a member can list and delete only their own files', async () => {
    const sha256 = await hashOf(drawn(100));
    const member = getPublicKey(secret);
    const auth = { auth: await sdk['createListAuth']!(signer.signEvent) };
    const blob = { url: `${service.url}/${sha256}.gif`, sha256, type: 'image/gif' };
    expect(await sdk['listBlobs']!(service.url, member, auth)).toMatchObject([blob]);
    expect(await sdk['listBlobs']!(service.url, member, { ...auth, cursor: sha256, limit: 5 })).toEqual([]);
    await expect(sdk['listBlobs']!(service.url, member, { ...auth, limit: 5_000 })).rejects.toThrow('from 1 to 1000');
    await expect(sdk['listBlobs']!(service.url, 'f'.repeat(64), auth)).rejects.toThrow('uploaded yourself');
    const remove = (hash: string, signed = hash) =>
      sdk['deleteBlob']!(service.url, hash, { onAuth: () => sdk['createDeleteAuth']!(signer.signEvent, signed) });
    await expect(remove(gifs[0]!.sha256)).rejects.toThrow('not uploaded a file with this hash');
    await expect(remove(sha256, gifs[0]!.sha256)).rejects.toThrow('another file');
    expect([await isServed(sha256), await isServed(gifs[0]!.sha256)]).toEqual([true, true]);
    expect(await remove(sha256)).toBe(true);
    await expect.poll(() => isServed(sha256), SLOW).toBe(false);
    expect(await isServed(gifs[0]!.sha256)).toBe(true);
    expect(await sdk['listBlobs']!(service.url, member, auth)).toEqual([]);
    await expect(remove(sha256)).rejects.toThrow('not uploaded a file with this hash');
  });

  it('refused uploads get an error that names the reason', async () => {
    const [file, other] = [drawn(101), drawn(102)];
    const upload = (blob: Blob, auth: unknown) => sdk['uploadBlob']!(service.url, blob, { onAuth: async () => auth });
    const auth = (blob: Blob | string, options?: object) =>
      sdk['createUploadAuth']!(signer.signEvent, blob, options) as Promise<unknown>;
    await expect(upload(file, await auth(other))).rejects.toThrow('another file');
    await expect(upload(file, await auth(file, { expiration: 1_000 }))).rejects.toThrow('expired');
    await expect(upload(file, await auth(file, { servers: ['https://other.example'] }))).rejects.toThrow(
      'another server',
    );
    const stranger = (event: EventTemplate) => Promise.resolve(finalizeEvent(event, generateSecretKey()));
    await expect(upload(file, await sdk['createUploadAuth']!(stranger, file))).rejects.toThrow('has not allowed');
    const text = new Blob(['hello, this is a text'], { type: 'image/gif' });
    await expect(upload(text, await auth(text))).rejects.toThrow('neither a GIF nor a WebP');
    const hidden = await hashOf(drawn(100));
    await decide(hidden, 'hide');
    await expect(upload(drawn(100), await auth(drawn(100)))).rejects.toThrow('removed from this service');
    expect(await isServed(await hashOf(file))).toBe(false);
  });

  it('HEAD says what would be refused', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${service.url}/upload`, { method: 'HEAD', headers });
    expect((await ask({})).status).toBe(401);
    const auth = await sdk['createUploadAuth']!(signer.signEvent, drawn(103));
    const authorization = (sdk['encodeAuthorizationHeader'] as unknown as (event: unknown) => string)(auth);
    expect((await ask({ authorization })).status).toBe(200);
    const refused = await ask({ authorization, 'x-content-type': 'video/mp4' });
    expect([refused.status, refused.headers.get('x-reason')]).toEqual([415, expect.stringContaining('image/gif')]);
    expect((await ask({ authorization, 'x-content-length': '999999999999' })).status).toBe(400);
    expect((await ask({ authorization, 'x-sha-256': '0'.repeat(64) })).headers.get('x-reason')).toContain(
      'another file',
    );
    const preflight = await fetch(`${service.url}/mirror`, { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
  });

  it('a file is mirrored from another server, but not from a private network', async () => {
    const [source] = others;
    const file = drawn(104);
    const sha256 = await hashOf(file);
    source!.blobs.set(sha256, Buffer.from(await file.bytes()));
    const gif = { url: `${source!.url}/${sha256}.gif`, sha256 };
    const [refused] = await saveTo(gif, [service.url], signer);
    expect(refused).toEqual({ server: service.url, error: expect.stringContaining('not on the public internet') });
    await service.stop();
    service = await startServer(data, { ZOETROPE_EMBEDDER: 'none', ...MEMBERS, ZOETROPE_FETCH_ALLOW_PRIVATE: 'true' });
    source!.blobs.set('f'.repeat(64), Buffer.from(await drawn(105).bytes()));
    const wrong = { url: `${source!.url}/${'f'.repeat(64)}.gif`, sha256 };
    // At most four files are downloaded at the same time, so failures must make room for others.
    for (let n = 0; n < 5; n++) {
      expect(await saveTo(wrong, [service.url], signer)).toMatchObject([
        { error: expect.stringContaining('another file') },
      ]);
    }
    expect(await saveTo(gif, [service.url], signer)).toMatchObject([{ url: `${service.url}/${sha256}.gif` }]);
    await expect.poll(() => isInReview(sha256), SLOW).toBe(true);
    expect(await isServed(sha256)).toBe(false);
    const third = await sdk['createUploadAuth']!(signer.signEvent, drawn(106));
    await expect(sdk['uploadBlob']!(service.url, drawn(106), { onAuth: async () => third })).rejects.toThrow(
      '2 files within 24 hours',
    );
  });
});
