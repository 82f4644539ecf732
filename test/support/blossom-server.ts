import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NostrEvent, verifyEvent } from 'nostr-tools/pure';

export interface BlossomServer {
  url: string;
  /** The stored files, by hash. */
  blobs: Map<string, Buffer>;
  /** Method and path of each request. */
  asked: string[];
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a Blossom server in memory: reading by hash (BUD-01) and mirroring with an authorisation (BUD-04, BUD-11). */
export async function startBlossomServer(): Promise<BlossomServer> {
  const blobs = new Map<string, Buffer>();
  const asked: string[] = [];
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url!, `http://${request.headers.host}`);
    asked.push(`${request.method} ${url.pathname}`);
    response.setHeader('access-control-allow-origin', '*');
    const refuse = (status: number, reason: string) => response.writeHead(status, { 'x-reason': reason }).end();
    if (request.method === 'PUT' && url.pathname === '/mirror') {
      let body = '';
      for await (const chunk of request) body += chunk;
      const wrong = whatIsWrong(request.headers.authorization, url.hostname);
      if (typeof wrong === 'string') return refuse(401, wrong);
      const bytes = Buffer.from(await (await fetch((JSON.parse(body) as { url: string }).url)).arrayBuffer());
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (!wrong.allowed.includes(sha256)) return refuse(401, 'the authorisation is for another file');
      blobs.set(sha256, bytes);
      const blob = { url: `${url.origin}/${sha256}.gif`, sha256, size: bytes.length, type: 'image/gif', uploaded: 1 };
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(blob));
    }
    const found = blobs.get(/^\/([0-9a-f]{64})/.exec(url.pathname)?.[1] ?? '');
    if (found === undefined) return refuse(404, 'no such blob');
    return response.writeHead(200, { 'content-type': 'image/gif', 'content-length': found.length }).end(found);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, blobs, asked, stop, [Symbol.asyncDispose]: stop };
}

/** @returns the hashes that an authorisation allows, or why it is not valid here */
function whatIsWrong(header: string | undefined, host: string): { allowed: string[] } | string {
  const token = /^Nostr (.+)$/.exec(header ?? '')?.[1];
  if (token === undefined) return 'the authorisation is missing';
  const event = JSON.parse(Buffer.from(token, 'base64').toString()) as NostrEvent;
  const all = (name: string) => event.tags.filter(([key]) => key === name).map(([, value]) => value!);
  if (!verifyEvent(event) || event.kind !== 24_242) return 'the authorisation is not signed';
  if (!(Number(all('expiration')[0]) > Date.now() / 1_000)) return 'the authorisation has expired';
  if (!all('t').includes('upload')) return 'the authorisation is for another action';
  const servers = all('server');
  if (servers.length > 0 && !servers.includes(host)) return 'the authorisation is for another server';
  return { allowed: all('x') };
}
