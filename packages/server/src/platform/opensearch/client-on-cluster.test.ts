import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OperatorError } from '../../base/errors.ts';
import { HAS_OPENSSL, makeCertificate } from '../testing/certificate.ts';
import { sharedServer } from '../testing/shared-server.ts';
import { SHORT_RUN } from '../testing/short-run.ts';
import { ClusterClient } from './client.ts';
import { findOpenSearch } from './testing/cluster.ts';

const java = process.env[SHORT_RUN] === '1' ? undefined : findOpenSearch();
const HEALTH = { method: 'GET', path: '/_cluster/health', deadlineMs: 60_000 } as const;

function open(options: ConstructorParameters<typeof ClusterClient>[0]): ClusterClient {
  const client = new ClusterClient(options);
  onTestFinished(() => client.close());
  return client;
}

describe.skipIf(java === undefined)('the client of a search cluster', () => {
  let urls: string[];

  beforeAll(async () => {
    urls = (await sharedServer('opensearch')).split(',');
  });

  it('reads and writes, and distinguishes a missing document from a refused request', async () => {
    const client = open({ urls });
    const create = { method: 'PUT', path: '/some-index', body: {}, deadlineMs: 60_000 } as const;
    expect(await client.request(create)).toMatchObject({ acknowledged: true });
    const lines = [{ index: { _id: '1' } }, { title: 'a cat\nand a dog' }];
    const bulk = { method: 'POST', path: '/some-index/_bulk?refresh=true', body: lines, deadlineMs: 60_000 } as const;
    expect(await client.request(bulk)).toMatchObject({ errors: false });
    const read = { method: 'GET', path: '/some-index/_doc/1', deadlineMs: 60_000 } as const;
    expect(await client.request(read)).toMatchObject({ _source: { title: 'a cat\nand a dog' } });
    expect(await client.request({ ...read, path: '/some-index/_doc/2' })).toBeNull();
    const again = client.request(create);
    await expect(again).rejects.toMatchObject({ status: 400, type: 'resource_already_exists_exception' });
    await expect(again).rejects.toThrow(/refused PUT \/some-index: index .* already exists/);
    await client.request({ method: 'DELETE', path: '/some-index', deadlineMs: 60_000 });
  });

  it.skipIf(!HAS_OPENSSL)('uses TLS and a password, and trusts only the given authority', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-tls-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const files = makeCertificate(folder);
    const [ca, cert, key] = [files.ca, files.certificate, files.key].map((file) => fs.readFileSync(file, 'utf8'));
    const expected = `Basic ${Buffer.from('zoe:p@ss/word').toString('base64')}`;
    const proxy = https.createServer({ cert: cert!, key: key! }, (request, response) => {
      if (request.headers.authorization !== expected) return response.writeHead(401).end('Unauthorized');
      const passed = http.request(`${urls[0]}${request.url}`, (answer) => answer.pipe(response));
      passed.on('error', () => response.destroy());
      return request.pipe(passed);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const as = (password: string) => ({ urls: [`https://127.0.0.1:${port}`], user: { name: 'zoe', password } });
    expect(await open({ ...as('p@ss/word'), ca }).request(HEALTH)).toMatchObject({
      cluster_name: 'zoetrope-test',
    });
    const wrong = open({ ...as('other'), ca }).request(HEALTH);
    await expect(wrong).rejects.toThrow(OperatorError);
    await expect(wrong).rejects.toThrow(/ZOETROPE_OPENSEARCH_PASSWORD: Unauthorized/);
    const untrusted = open(as('p@ss/word')).request(HEALTH);
    await expect(untrusted).rejects.toMatchObject({ code: 'upstream_unavailable', cause: expect.any(Error) });
  });
});
