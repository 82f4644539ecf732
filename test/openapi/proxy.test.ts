import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { parts } from '../support/parts.ts';
import { DEVELOPMENT, freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const LINES = 1_000;
/**
 * Number of GIFs. It is high enough that most queries find something, and low enough that all GIFs get their vectors in
 * a few seconds.
 */
const GIFS = 2_000;

describe.skipIf(!parts.openapiTools || !parts.data)('a validating proxy', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  let server: Server;
  let proxy: ReturnType<typeof spawn>;
  let proxyUrl = '';

  beforeAll(async () => {
    const manifest = path.join(folder.path, 'catalogue.jsonl');
    fs.writeFileSync(manifest, linesOf(path.join(parts.data!, 'catalogue.jsonl.gz')).slice(0, GIFS).join('\n'));
    const { code, stderr } = await zoetrope(data, ['add', manifest]);
    expect(code, stderr).toBe(0);
    server = await startServer(data);
    const description = path.join(folder.path, 'openapi.json');
    fs.writeFileSync(description, await (await server.get('/api/v1/openapi.json')).text());
    const port = await freePort();
    const prism = path.resolve('tools/openapi/node_modules/.bin/prism');
    proxy = spawn(prism, ['proxy', description, server.url, '--errors', '--port', String(port), '--host', '127.0.0.1']);
    proxyUrl = `http://127.0.0.1:${port}`;
    const listening = Promise.withResolvers<void>();
    proxy.stdout!.on('data', (chunk) => {
      if (String(chunk).includes('listening')) listening.resolve();
    });
    proxy.on('exit', (code) => listening.reject(new Error(`the proxy ended with code ${code}`)));
    await listening.promise;
  });

  afterAll(async () => {
    if (proxy) await endProcess(proxy, 'SIGTERM');
    await server?.stop();
    folder[Symbol.dispose]();
  });

  it(`finds no violation in ${LINES} lines of real queries`, async () => {
    const requests = queries(path.join(parts.data!, 'queries.tsv.gz'));
    const violations: string[] = [];
    /** Number of responses, keyed by operation and status. */
    const statuses = new Map<string, number>();
    const count = (name: string) => statuses.set(name, (statuses.get(name) ?? 0) + 1);
    let lastId = 'none.gif';
    const ask = async ({ op, q, params }: Query) => {
      const target =
        op === 'similar' ? `/api/v1/gifs/${lastId}/similar` : `/api/v1/${op}?q=${encodeURIComponent(q)}${params}`;
      const response = await fetch(proxyUrl + target, { headers: DEVELOPMENT });
      count(`${op} ${response.status}`);
      count(op);
      const violation = response.headers.get('sl-violations');
      const body = await response.text();
      if (violation !== null || response.status >= 500) {
        violations.push(`${target}: ${response.status} ${violation ?? body.slice(0, 300)}`);
      }
      if (op === 'search') lastId = /"id":"([^"]+)"/.exec(body)?.[1] ?? lastId;
    };
    for (let from = 0; from < requests.length; from += 8) await Promise.all(requests.slice(from, from + 8).map(ask));
    expect(violations.slice(0, 5)).toEqual([]);
    const counts = JSON.stringify(Object.fromEntries(statuses));
    // Nearly all queries are good. The others are too long, or about an unknown GIF.
    for (const op of ['search', 'suggest']) {
      expect(statuses.get(`${op} 200`)! / statuses.get(op)!, counts).toBeGreaterThan(0.95);
    }
    expect(statuses.get('similar 200'), counts).toBeGreaterThan(0);
  });

  it('finds a violation in an invalid request', async () => {
    const response = await fetch(`${proxyUrl}/api/v1/search?q=cat&limit=201`, { headers: DEVELOPMENT });
    expect(response.status).toBe(422);
  });
});

interface Query {
  op: string;
  q: string;
  params: string;
}

function queries(file: string): Query[] {
  const lines = linesOf(file).slice(1, LINES + 1);
  return lines.map((line) => {
    const [, , op = '', q = '', , params = ''] = line.split('\t');
    return { op, q, params: params.startsWith('limit') ? `&${params}` : '' };
  });
}

function linesOf(file: string): string[] {
  return gunzipSync(fs.readFileSync(file)).toString('utf8').split('\n');
}
