import { execFileSync, spawnSync } from 'node:child_process';
import type { LookupAddress, lookup } from 'node:dns';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ProofOptions } from '../proofs/nip05.ts';

export const HAS_OPENSSL: boolean = spawnSync('openssl', ['version']).status === 0;

export interface Domains {
  /**
   * Options that make all domains resolve to a port of this machine. This port replaces port 443 of a public address.
   */
  options: ProofOptions;
  /** Response handler of each domain. */
  answers: Map<string, RequestListener>;
  /** The IP addresses of names that do not resolve to this machine. */
  addresses: Map<string, string[]>;
  /** Makes a domain list these NIP-05 names. */
  name(domain: string, names: unknown): void;
  stop(): void;
}

/** Starts web servers for some domains, with one self-signed certificate. */
export async function startDomains(domains: readonly string[]): Promise<Domains> {
  const { key, cert } = makeCertificate(domains);
  const answers = new Map<string, RequestListener>();
  const addresses = new Map<string, string[]>();
  const server = https.createServer({ key, cert }, (request, response) => {
    const answer = answers.get(request.headers.host?.split(':')[0] ?? '');
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const resolve = (name: string, _: object, done: (error: null, found: LookupAddress[]) => void): void => {
    const found = addresses.get(name) ?? ['127.0.0.1'];
    process.nextTick(
      done,
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return {
    options: {
      ca: cert,
      port: (server.address() as AddressInfo).port,
      allows: (address) => address === '127.0.0.1',
      resolve: resolve as unknown as typeof lookup,
    },
    answers,
    addresses,
    name(domain, names) {
      answers.set(domain, (_, response) => response.end(JSON.stringify({ names })));
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function makeCertificate(domains: readonly string[]): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'zoetrope-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const what = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=test', '-addext', `subjectAltName=${domains.map((domain) => `DNS:${domain}`).join()}`];
  execFileSync('openssl', [...what, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}
