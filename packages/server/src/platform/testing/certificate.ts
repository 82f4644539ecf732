import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const HAS_OPENSSL: boolean = spawnSync('openssl', ['version']).status === 0;

/** Paths of PEM files: an authority's certificate, and the key and certificate of a server on 127.0.0.1. */
export interface CertificateFiles {
  ca: string;
  key: string;
  certificate: string;
}

/** Makes a certificate authority and a server's certificate in a folder. */
export function makeCertificate(folder: string): CertificateFiles {
  const file = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=a CA', '-days', '2');
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=a server');
  fs.writeFileSync(file('names'), 'subjectAltName=IP:127.0.0.1');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.pem', ...signed);
  fs.chmodSync(file('server.key'), 0o600);
  fs.chmodSync(folder, 0o755);
  return { ca: file('ca.pem'), key: file('server.key'), certificate: file('server.pem') };
}
