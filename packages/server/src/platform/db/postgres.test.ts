import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type Postgres, startPostgres } from '../testing/postgres.ts';
import { checkPostgres, closePostgres, openPostgres } from './postgres.ts';

const programs = findPostgres();
const isComplete = programs !== undefined && spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!isComplete)('a connection to PostgreSQL', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-tls-'));
  const file = (name: string) => path.join(folder, name);
  let postgres: Postgres;

  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

  function makeCertificates(): void {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=a CA', '-days', '2');
    openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=a server');
    fs.writeFileSync(file('names'), 'subjectAltName=IP:127.0.0.1');
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
    openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.pem', ...signed);
    fs.chmodSync(file('server.key'), 0o600);
    fs.chmodSync(folder, 0o755);
  }

  beforeAll(async () => {
    makeCertificates();
    postgres = await startPostgres(programs!, { tls: { certificate: file('server.pem'), key: file('server.key') } });
  });

  afterAll(async () => {
    await postgres?.stop();
    fs.rmSync(folder, { recursive: true });
  });

  it('is made with TLS if the CA of the URL has signed the certificate', async () => {
    const db = openPostgres(`${postgres.url}?sslmode=verify-full&sslrootcert=${file('ca.pem')}`);
    const { rows } = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db);
    expect(rows).toEqual([{ ssl: true }]);
    await closePostgres(db);
  });

  it('is refused without that CA, and the message names the setting', async () => {
    const db = openPostgres(`${postgres.url}?sslmode=verify-full`);
    await expect(checkPostgres(db)).rejects.toThrow(/ZOETROPE_DATABASE_URL.*certificate/);
    await closePostgres(db);
  });

  it('is refused if the database is read-only, and the message says what to do', async () => {
    const db = openPostgres(`${postgres.url}?options=-c%20default_transaction_read_only%3Don`);
    await expect(checkPostgres(db)).rejects.toThrow(/ZOETROPE_DATABASE_URL.* read-only: connect to the primary/);
    await closePostgres(db);
  });
});
