import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

/*
 * The load comes from wrk (Debian: apt-get install wrk), because a load generator in JavaScript would be slower than
 * the servers.
 */

export interface Load {
  perSecond: number;
  p50: string;
  p99: string;
}

export interface LoadOptions {
  seconds: number;
  /** Headers of each request, one line per header. */
  headers: readonly string[];
  /** Number of connections. Default: 32. */
  connections?: number;
  /** A Lua script that chooses the requests. */
  script?: string;
}

/**
 * Requests a URL over the given number of connections for the given number of seconds. @throws Error if a
 * response is not a success
 */
export function wrk(url: string, { seconds, headers, script, connections = 32 }: LoadOptions): Load {
  const sent = headers.flatMap((header) => ['-H', header]);
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...sent,
    ...(script ? ['-s', script] : []),
    url,
  ];
  const { stdout, status, error } = spawnSync('wrk', args, { encoding: 'utf8' });
  if (error || status !== 0) throw new Error('wrk did not run; apt-get install wrk');
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1];
  if (failed) throw new Error(`${failed} responses were not 2xx`);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50: /^ +50% +(\S+)/m.exec(stdout)?.[1] ?? '?',
    p99: /^ +99% +(\S+)/m.exec(stdout)?.[1] ?? '?',
  };
}

/** Starts a bare server of node:http that sends the same bytes with the same headers for every request. */
export async function startRaw(
  body: Buffer,
  headers: Headers,
  folder: string,
): Promise<{ url: string; process: ChildProcess }> {
  const file = path.join(folder, 'body');
  fs.writeFileSync(file, body);
  const kept = Object.fromEntries(
    [...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
  );
  const program = `
    const body = require('node:fs').readFileSync(${JSON.stringify(file)});
    const headers = ${JSON.stringify(kept)};
    const server = require('node:http').createServer((_, response) => { response.writeHead(200, headers); response.end(body); });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}`, process: child };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** Returns the number that follows the option `--NAME` on the command line, or a default. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
}
