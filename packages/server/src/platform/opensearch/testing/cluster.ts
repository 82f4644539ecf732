import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endProcess } from '../../testing/end-process.ts';
import { freePort } from '../../testing/free-port.ts';

/** The server with its plugin, as `tools/opensearch/fetch.mjs` unpacks them. */
const SERVER = path.resolve(import.meta.dirname, '../../../../../../tools/opensearch/target/server');
const OLDEST_JAVA = 21;
const NODES = 3;
/**
 * Java options: `quick` is for tests, so that OpenSearch starts quickly and needs little memory. The other options are
 * for measurements.
 */
const MODES = {
  quick: ['-Xms512m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  measured: ['-Xms1g', '-Xmx1g'],
} as const;
/** Maximum time until the cluster is complete. A slow machine on which other tests run needs more than five minutes. */
const START_MS = 1_200_000;

/** Returns the Java program for OpenSearch, or undefined if OpenSearch was not fetched or no Java is new enough. */
export function findOpenSearch(): string | undefined {
  return fs.existsSync(SERVER) ? findJava() : undefined;
}

/** Returns the first Java that is new enough: from the environment, on the path, or in the usual folder of Linux. */
function findJava(): string | undefined {
  const homes = [process.env['OPENSEARCH_JAVA_HOME'], process.env['JAVA_HOME']].filter((home) => home !== undefined);
  const usual = fs.globSync('/usr/lib/jvm/*/bin/java');
  return [...homes.map((home) => path.join(home, 'bin/java')), 'java', ...usual].find((java) => {
    const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
    return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= OLDEST_JAVA;
  });
}

/** One process of a cluster. */
export interface SearchNode {
  url: string;
  kill(): Promise<void>;
  /** Pauses the process without ending it, like on a machine that hangs. */
  freeze(): void;
  thaw(): void;
  /** Starts the node again with its data. */
  start(): Promise<void>;
}

/** An OpenSearch cluster of three nodes. */
export interface SearchCluster {
  urls: string[];
  nodes: SearchNode[];
  stop(): Promise<void>;
}

/** Starts a cluster on 127.0.0.1. @param java see `findOpenSearch` */
export async function startOpenSearch(java: string, mode: keyof typeof MODES = 'quick'): Promise<SearchCluster> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-opensearch-'));
  const ports = await Promise.all(Array.from({ length: 2 * NODES }, () => freePort()));
  const transports = ports.slice(NODES);
  // OpenSearch runs as another user, who may not be able to read the checkout.
  const home = path.join(folder, 'server');
  fs.cpSync(SERVER, home, { recursive: true });
  const places = transports.map((transport, i) => {
    const place = { folder: path.join(folder, nameOf(i)), home, java, options: MODES[mode], http: ports[i]! };
    configure(place, { name: nameOf(i), transport, transports });
    return place;
  });
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', String(otherUser()), folder]);
  const children = places.map(begin);
  const urls = places.map(({ http }) => `http://127.0.0.1:${http}`);
  const stop = async () => {
    // SIGKILL is used, because a paused process would not react to a gentler signal, and the data is no longer needed.
    await Promise.all(children.map((child) => endProcess(child, 'SIGKILL')));
    fs.rmSync(folder, { recursive: true });
  };
  try {
    await complete(urls[0]!, () => children.every(isRunning));
  } catch (error) {
    const logs = places.map((place) => lastLines(path.join(place.folder, 'output.log'))).join('\n');
    await stop();
    throw new Error(`OpenSearch did not start:\n${logs}`, { cause: error });
  }
  const nodes = places.map((place, i) => ({
    url: urls[i]!,
    kill: () => endProcess(children[i]!, 'SIGKILL'),
    freeze: () => void children[i]!.kill('SIGSTOP'),
    thaw: () => void children[i]!.kill('SIGCONT'),
    async start() {
      children[i] = begin(place);
      await complete(urls[i]!, () => isRunning(children[i]!));
    },
  }));
  return { urls, nodes, stop };
}

interface Place {
  /** Folder of the node's settings, data and logs. */
  folder: string;
  home: string;
  java: string;
  options: readonly string[];
  http: number;
}

function configure(
  { folder, home, http }: Place,
  { name, transport, transports }: { name: string; transport: number; transports: readonly number[] },
): void {
  fs.cpSync(path.join(home, 'config'), folder, { recursive: true });
  for (const part of ['data', 'logs', 'tmp']) fs.mkdirSync(path.join(folder, part));
  const settings = {
    'cluster.name': 'zoetrope-test',
    'node.name': name,
    'network.host': '127.0.0.1',
    'http.port': http,
    'transport.port': transport,
    'path.data': path.join(folder, 'data'),
    'path.logs': path.join(folder, 'logs'),
    'discovery.seed_hosts': transports.map((port) => `127.0.0.1:${port}`),
    'cluster.initial_cluster_manager_nodes': transports.map((_, i) => nameOf(i)),
    // The disk of a test machine may be nearly full.
    'cluster.routing.allocation.disk.threshold_enabled': false,
    'node.store.allow_mmap': true,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  fs.writeFileSync(path.join(folder, 'opensearch.yml'), `${lines.join('\n')}\n`);
}

/** Starts Java directly, because the script of OpenSearch first starts three other Java programs. */
function begin({ folder, home, java, options: mode }: Place): ChildProcess {
  const output = fs.openSync(path.join(folder, 'output.log'), 'a');
  const options = [
    ...[...mode, '-Xshare:auto'],
    ...['--add-modules=jdk.incubator.vector', '-javaagent:agent/opensearch-agent.jar'],
    '--add-opens=java.base/java.nio=org.apache.arrow.memory.core,ALL-UNNAMED',
    ...[
      `-Djava.io.tmpdir=${path.join(folder, 'tmp')}`,
      '-Dlog4j2.disable.jmx=true',
      '-Dlog4j.shutdownHookEnabled=false',
    ],
    ...[`-Dopensearch.path.home=${home}`, `-Dopensearch.path.conf=${folder}`, '-Dopensearch.distribution.type=zip'],
    ...['-cp', path.join(home, 'lib/*'), 'org.opensearch.bootstrap.OpenSearch'],
  ];
  const user = process.getuid?.() === 0 ? { uid: otherUser(), gid: otherUser() } : {};
  const child = spawn(java, options, { cwd: home, stdio: ['ignore', output, output], ...user });
  fs.closeSync(output);
  return child;
}

/** OpenSearch refuses to run as root. */
function otherUser(): number {
  return Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }));
}

function nameOf(i: number): string {
  return `node-${i + 1}`;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Waits until the cluster has all its nodes and all copies of its data. */
async function complete(url: string, isAlive: () => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(START_MS);
  const query = `wait_for_nodes=${NODES}&wait_for_status=green&timeout=10s`;
  for (;;) {
    deadline.throwIfAborted();
    if (!isAlive()) throw new Error('a node ended');
    const answer = await fetch(`${url}/_cluster/health?${query}`, { signal: deadline }).catch(() => undefined);
    if (answer?.ok) return;
    await wait(200, undefined, { signal: deadline });
  }
}

function lastLines(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(-40).join('\n') : '';
}
