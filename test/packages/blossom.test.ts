import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventTemplate, saveTo } from '../../packages/client/src/blossom.ts';
import type { Gif, TrendingResponse } from '../../packages/client/src/index.ts';
import { type BlossomServer, startBlossomServer } from '../support/blossom-server.ts';
import { writeGifs } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { TOOLS } from './app.ts';

describe.skipIf(!parts.packageTools)('clients of Blossom', () => {
  const folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const secret = generateSecretKey();
  const signer = { signEvent: async (event: EventTemplate) => finalizeEvent(event, secret) };
  let service: Server;
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
    service = await startServer(data, { ZOETROPE_EMBEDDER: 'none' });
    const response = await service.get('/api/discover/v1/trending');
    gifs = ((await response.json()) as TrendingResponse).items as (Gif & { sha256: string })[];
    for (let n = 0; n < 2; n++) others.push(await startBlossomServer());
  });

  afterAll(async () => {
    for (const other of others) await other.stop();
    await service?.stop();
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
});
