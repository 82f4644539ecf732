import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { sql } from 'kysely';
import { type Database, openPostgres, type PostgresLimits } from '../db/index.ts';
import { endProcess } from './end-process.ts';
import { freePort } from './free-port.ts';

/** A PostgreSQL server in a temporary folder. */
export interface Postgres {
  url: string;
  /** Returns an empty database. The previous user must have closed it. */
  open(): Promise<Database>;
  /** Kills the server. */
  kill(): Promise<void>;
  /** Pauses all processes of the server without ending them, like on a machine that hangs. */
  freeze(): void;
  thaw(): void;
  /** Starts the server again with its data. Rejects while the killed process is still ending. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Options for opening databases. See `PostgresOptions`. */
export interface EngineOptions {
  hasOneWriter?: boolean;
  /** Limits of connections to PostgreSQL. By default, everything can take minutes, because the machine may be busy. */
  limits?: PostgresLimits;
  /** Paths of a certificate and its key. With these files, the server accepts TLS connections. */
  tls?: { certificate: string; key: string };
}

/** Returns the folder of Debian's PostgreSQL programs, or undefined if they are not installed. */
export function findPostgres(): string | undefined {
  const folders = fs.globSync('/usr/lib/postgresql/*/bin/initdb').map((program) => path.dirname(program));
  return folders.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
}

/** Starts a server on 127.0.0.1 for tests. The data survives a crash of the server, but not of the machine. */
export async function startPostgres(programs: string, opened: EngineOptions = {}): Promise<Postgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-postgres-'));
  const who = otherThanRoot();
  if (who !== undefined) fs.chownSync(folder, who.uid, who.gid);
  const data = path.join(folder, 'data');
  const options = { ...who, cwd: folder };
  const create = ['-D', data, '-A', 'trust', '-U', 'zoetrope', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(path.join(programs, 'initdb'), create, { ...options, stdio: 'ignore' });
  const port = await freePort();
  const url = `postgres://zoetrope@127.0.0.1:${port}/postgres`;
  if (opened.tls && who) fs.chownSync(opened.tls.key, who.uid, who.gid);
  const tls = opened.tls ? ['ssl=on', `ssl_cert_file=${opened.tls.certificate}`, `ssl_key_file=${opened.tls.key}`] : [];
  const hasty = ['fsync=off', 'full_page_writes=off', 'unix_socket_directories='];
  const settings = [...hasty, ...tls].flatMap((setting) => ['-c', setting]);
  const arguments_ = ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, ...settings];
  let server = await begin();

  async function begin(): Promise<ChildProcess> {
    const child = spawn(path.join(programs, 'postgres'), arguments_, {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(child.stderr);
    return child;
  }

  return {
    url,
    open: () => openEmpty(url, opened),
    kill: () => endProcess(server, 'SIGKILL'),
    freeze: () => signalAll(server.pid!, 'SIGSTOP'),
    thaw: () => signalAll(server.pid!, 'SIGCONT'),
    async start() {
      server = await begin();
    },
    async stop() {
      await endProcess(server, 'SIGINT');
      fs.rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Sends a signal to a process and its children. The parent gets the signal first, so that it starts no more children.
 */
function signalAll(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  process.kill(pid, signal);
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  for (const child of children) process.kill(Number(child), signal);
}

async function openEmpty(url: string, options: EngineOptions): Promise<Database> {
  const db = openPostgres(url, options);
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  return db;
}

/**
 * Returns the user under which PostgreSQL runs, because PostgreSQL refuses to run as root. Debian's package creates
 * that user.
 */
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
      // Further output is read and dropped, because a full pipe would block the server.
      reader.close();
      log.resume();
      return;
    }
  }
  throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`);
}
