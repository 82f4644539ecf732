import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Database, Tables } from '../../platform/db/index.ts';

/** A PostgreSQL server of its own in a temporary folder. */
export interface Postgres {
  /** An empty database; whoever had the one before must have closed it. */
  open(): Promise<Database>;
  stop(): Promise<void>;
}

/** Where Debian's packages put the programs; undefined where PostgreSQL is not installed. */
export function findPostgres(): string | undefined {
  const folders = fs.globSync('/usr/lib/postgresql/*/bin/initdb').map((program) => path.dirname(program));
  return folders.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
}

/** Starts a server on 127.0.0.1 that takes no care of what it writes: it is for a test. */
export async function startPostgres(programs: string): Promise<Postgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-postgres-'));
  const who = otherThanRoot();
  if (who !== undefined) fs.chownSync(folder, who.uid, who.gid);
  const data = path.join(folder, 'data');
  const options = { ...who, cwd: folder };
  const create = ['-D', data, '-A', 'trust', '-U', 'zoetrope', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(path.join(programs, 'initdb'), create, { ...options, stdio: 'ignore' });
  const port = await freePort();
  const hasty = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'unix_socket_directories='];
  const settings = hasty.flatMap((setting) => ['-c', setting]);
  const server = spawn(path.join(programs, 'postgres'), ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, ...settings], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(server, 'exit');
  await ready(server.stderr);
  return {
    open: () => openEmpty(port),
    async stop() {
      server.kill('SIGINT');
      await exited;
      fs.rmSync(folder, { recursive: true });
    },
  };
}

async function openEmpty(port: number): Promise<Database> {
  const pool = new pg.Pool({
    ...{ host: '127.0.0.1', port, user: 'zoetrope', database: 'postgres', max: 8 },
    // int8 comes as text, because it may not fit a number; times and counts of ours do.
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  return db;
}

/** PostgreSQL refuses to run as root; Debian's package brings a user. */
function otherThanRoot(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function ready(log: NodeJS.ReadableStream): Promise<void> {
  const lines: string[] = [];
  const reader = readline.createInterface({ input: log });
  for await (const line of reader) {
    lines.push(line);
    if (line.includes('ready to accept connections')) {
      // What comes later is read and dropped, or the server would wait for us at a full pipe.
      reader.close();
      log.resume();
      return;
    }
  }
  throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`);
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
