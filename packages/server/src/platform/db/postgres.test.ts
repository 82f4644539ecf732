import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseAway } from '../../base/errors.ts';
import { type CertificateFiles, HAS_OPENSSL, makeCertificate } from '../testing/certificate.ts';
import { findPostgres, type Postgres, startPostgres } from '../testing/postgres.ts';
import { checkPostgres, closePostgres, openPostgres } from './postgres.ts';

const programs = findPostgres();
const isComplete = programs !== undefined && HAS_OPENSSL;

describe.skipIf(!isComplete)('a connection to PostgreSQL', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-tls-'));
  let files: CertificateFiles;
  let postgres: Postgres;

  beforeAll(async () => {
    files = makeCertificate(folder);
    postgres = await startPostgres(programs!, { tls: files });
  });

  afterAll(async () => {
    await postgres?.stop();
    fs.rmSync(folder, { recursive: true });
  });

  it('uses TLS if the certificate is signed by the CA that the URL names', async () => {
    const db = openPostgres(`${postgres.url}?sslmode=verify-full&sslrootcert=${files.ca}`);
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

it('names the setting of a server that is unavailable, also for a writer', async () => {
  for (const hasOneWriter of [false, true]) {
    const db = openPostgres('postgres://zoetrope@127.0.0.1:1/zoetrope', { hasOneWriter });
    const reading = sql`select 1`.execute(db);
    await expect(reading).rejects.toThrow(DatabaseAway);
    await expect(reading).rejects.toThrow(/ZOETROPE_DATABASE_URL.*ECONNREFUSED/);
    await closePostgres(db);
  }
});
