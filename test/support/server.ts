import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { freePort } from '../../packages/server/src/platform/testing/free-port.ts';

/** The environment variable with the path of the program. `npm test` sets it to the path of the bundle. */
export const PROGRAM = 'ZOETROPE_TEST_PROGRAM';
/** If the variable is not set, for example when one test runs alone, the sources are used. */
const MAIN = process.env[PROGRAM] ?? path.resolve('packages/server/src/main.ts');
/**
 * The memory for short-lived objects: in benchmarks as in tools/launch.mjs, and more in tests. A test run starts a
 * thousand processes, and with the little memory of a service, collecting garbage takes a tenth of their start.
 */
const MEMORY =
  process.env['VITEST'] === undefined
    ? ['--max-semi-space-size=4']
    : ['--min-semi-space-size=16', '--max-semi-space-size=16'];
const FLAGS = ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning', ...MEMORY];

/** The caller that is admitted without registration. */
export const DEVELOPMENT = { origin: 'http://localhost:5173' };

/** Creates a folder that is removed when the test ends. */
export function temporaryFolder(): { path: string; [Symbol.dispose](): void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  // When a process was killed, its children can still write for a moment.
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  return { path: folder, [Symbol.dispose]: remove };
}

export { freePort };

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/**
 * Default settings. Limits and logs are off, because tests and benchmarks exceed any rate limit and would fill the log.
 */
const DEFAULTS = {
  // As in tools/launch.mjs.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(64 * 1024),
  // The rating and caption models add seconds to each ingest. Only tests of their results switch the models on.
  ZOETROPE_RATING: 'off',
  ZOETROPE_CAPTIONS: 'off',
  ZOETROPE_STARTER: 'off',
  ZOETROPE_THREADS: '1',
  // With two workers, most folders with two files would start a second process.
  ZOETROPE_MEDIA_WORKERS: '1',
  ZOETROPE_PORT: '0',
  ZOETROPE_RATES: 'off',
  ZOETROPE_REQUEST_LOG: 'off',
  // Linked GIFs in tests have invented URLs. Only tests of the probe switch the probe on.
  ZOETROPE_LINKED_PROBE: 'off',
  ZOETROPE_LINKED_HTTP: 'show',
  PATH: process.env['PATH'] ?? '',
};

/** URLs of a search cluster. If the variable is set, services use the cluster instead of an index in memory. */
export const CLUSTER = 'ZOETROPE_TEST_OPENSEARCH';

/** Returns the settings for the engine under test. Each data folder has its own indexes in the cluster. */
function engineSettings(data: string, urls: string | undefined): Record<string, string> {
  if (urls === undefined) return {};
  const prefix = `t${createHash('sha256').update(path.resolve(data)).digest('hex').slice(0, 16)}`;
  return {
    ZOETROPE_SEARCH: 'opensearch',
    ZOETROPE_OPENSEARCH_URL: urls,
    ZOETROPE_OPENSEARCH_OPTIONS: `prefix=${prefix}, shards=2`,
  };
}

/** Returns the command line of a `zoetrope` command. */
export function programCommand(args: string[]): string[] {
  return [process.execPath, ...FLAGS, MAIN, ...args];
}

/**
 * Starts the `zoetrope` command in a separate process on a data folder, without the starter catalogue.
 * @param env settings, and optionally `PROGRAM` with the path of another program and `CLUSTER`
 * @param stderr a file descriptor for the command's errors, instead of a pipe
 */
export function spawnZoetrope(
  data: string,
  args: string[],
  env: Record<string, string> = {},
  stderr: 'pipe' | number = 'pipe',
): ChildProcess {
  return spawn(process.execPath, [...FLAGS, env[PROGRAM] ?? MAIN, ...args], {
    env: {
      ...process.env,
      ...DEFAULTS,
      ...engineSettings(data, env[CLUSTER] ?? process.env[CLUSTER]),
      ZOETROPE_DATA: data,
      ...env,
    },
    stdio: ['ignore', 'pipe', stderr],
  });
}

/** Runs a command to its end as an unprivileged user, because root can read everything. */
export async function zoetropeAsNobody(
  data: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(process.execPath, [...FLAGS, MAIN, ...args], {
    env: { ...DEFAULTS, ZOETROPE_DATA: data, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...nobody,
  });
  return outcome(child);
}

/** Runs a command to its end. */
export async function zoetrope(data: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  return outcome(spawnZoetrope(data, args, env));
}

export async function outcome(child: ChildProcess): Promise<Outcome> {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, stdout, stderr };
}

async function readAll(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}

export interface Server {
  url: string;
  process: ChildProcess;
  /** Sends a GET request as the development client. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the service on a data folder and waits until it listens. */
export async function startServer(
  data: string,
  env: Record<string, string> = {},
  stderr: 'pipe' | number = 'pipe',
): Promise<Server> {
  const child = spawnZoetrope(data, ['serve'], { ZOETROPE_PORT: `${await freePort()}`, ...env }, stderr);
  const complaints: string[] = [];
  child.stderr?.on('data', (chunk) => complaints.push(String(chunk)));
  const url = await addressOf(child);
  if (!url) throw new Error(`the service did not start:\n${complaints.join('')}`);
  const stop = () => endProcess(child, 'SIGTERM');
  return {
    url,
    process: child,
    get: (target, headers = DEVELOPMENT) => fetch(url + target, { headers }),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function addressOf(child: ChildProcess): Promise<string | undefined> {
  for await (const line of readline.createInterface({ input: child.stdout! })) {
    const found = /page\s+(\S+?)\/?$/.exec(line);
    if (found) return found[1];
  }
  return undefined;
}
