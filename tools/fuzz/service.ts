import fs from 'node:fs';
import path from 'node:path';
import { memoryOf } from '../../bench/support/memory.ts';
import type { SearchResponse } from '../../packages/contract/src/index.ts';
import { writeGifs } from '../../test/support/catalogue.ts';
import { writeTitles } from '../../test/support/catalogues.ts';
import { startServer, zoetrope } from '../../test/support/server.ts';

/** The facts about the service that targets need. */
export interface ServiceFacts {
  readonly url: string;
  /** Identifiers of a registered client. */
  readonly key: string;
  readonly origin: string;
  readonly userAgent: string;
  /** Ids of GIFs in the catalogue. */
  readonly ids: readonly string[];
  /** Path of a stored GIF. */
  readonly image: string;
}

/** A service with a small catalogue in a separate process. */
export interface FuzzedService {
  readonly facts: ServiceFacts;
  hasEnded(): boolean;
  /** Returns the problems of the service since the last call: failures in its log, its end, or its memory. */
  complaints(): string[];
  stop(): Promise<void>;
}

/** Number of GIF files in the catalogue. */
const FILES = 12;
const ORIGIN = 'https://registered.example';
const USER_AGENT = 'RegisteredApp/1.0';
/** Maximum memory of the service, as a multiple of its memory after the first requests. */
const MULTIPLE = 2;
/** The lowest level at which a line of the log reports a failure. */
const ERROR = 50;
/** Number of lines of an error that are reported. */
const LINES = 8;

/**
 * The service reads X-Forwarded-For and counts requests, but with these high limits, it refuses nobody. (Only the limit
 * for reports has no setting.) Its caches are small, so that they are full soon. After that, growing memory is a leak.
 */
const SETTINGS = {
  ZOETROPE_TRUST_PROXY: '1',
  ZOETROPE_RATES: 'search=0, suggest=0, similar=0, media=100000000, pages=100000000',
  ZOETROPE_TEST_ANSWER_CACHE_BYTES: '1000000',
  ZOETROPE_TEST_MEDIA_CACHE_BYTES: '1000000',
};

export async function startFuzzedService(folder: string): Promise<FuzzedService> {
  const data = path.join(folder, 'data');
  const gifs = path.join(folder, 'gifs');
  writeGifs(gifs, FILES);
  await run(data, ['add', '--quiet', gifs, ...(await writeTitles(folder))]);
  const { id } = JSON.parse(await run(data, ['client', 'add', 'Registered', '--origin', ORIGIN, '--json'])) as {
    id: string;
  };
  const { key } = JSON.parse(await run(data, ['key', 'create', id, '--json'])) as { key: string };
  await run(data, ['user-agent', 'add', id, 'RegisteredApp/*']);
  const server = await startServer(data, SETTINGS);
  const { items } = (await (await server.get('/api/v1/search?q=happy&limit=50')).json()) as SearchResponse;
  const local = items.find(({ url }) => url.startsWith(server.url));
  if (local === undefined) throw new Error('the service does not find its own GIFs');
  let log = '';
  server.process.stderr!.setEncoding('utf8').on('data', (chunk) => {
    log += chunk;
  });
  const memory = new Memory(server.process.pid!);
  const hasEnded = () => server.process.exitCode !== null || server.process.signalCode !== null;
  return {
    facts: {
      ...{ url: server.url, key, origin: ORIGIN, userAgent: USER_AGENT },
      ids: items.map((item) => item.id),
      image: new URL(local.url).pathname,
    },
    hasEnded,
    complaints() {
      const { exitCode, signalCode } = server.process;
      const end = hasEnded() ? [`the service ended with ${signalCode ?? exitCode}`] : [];
      const lines = log.split('\n');
      // The last line may not be complete.
      log = lines.pop()!;
      return [...lines.flatMap(failureIn), ...end, ...memory.complaints()];
    },
    stop: server.stop,
  };
}

/** Watches the memory of a process (Linux). */
class Memory {
  readonly #pid: number;
  /** Memory after the first requests, in MB. */
  #control = 0;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Returns the problem if memory has grown too much. Reports this only once. The first call measures the control. */
  complaints(): string[] {
    const now = fs.existsSync('/proc/self/smaps_rollup') ? (memoryOf(this.#pid)[0]?.rss ?? 0) : 0;
    const control = this.#control || now;
    this.#control = now > MULTIPLE * control ? now : control;
    if (this.#control === control) return [];
    return [`memory: the service grew from ${Math.round(control)} to ${Math.round(now)} MB`];
  }
}

async function run(data: string, command: string[]): Promise<string> {
  const { code, stdout, stderr } = await zoetrope(data, command);
  if (code !== 0) throw new Error(`zoetrope ${command[0]} failed: ${stderr}`);
  return stdout;
}

/** Returns the failure that a line of the log reports, with the beginning of its error. */
function failureIn(line: string): string[] {
  const level = Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0);
  if (level < ERROR) return [];
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { stack: string } };
  return [`the service logs "${msg}": ${err?.stack.split('\n').slice(0, LINES).join('\n') ?? ''}`];
}
