// How fast does the running service answer real searches, and what do users notice if the embedder dies or hangs? (DATA-FOLDER QUERY-LOG)

/*
 *   npm run bench replay DATA-FOLDER QUERY-LOG [--rate 150] [--seconds 60] [--kill] [--stop]
 *
 * The load is open: each request has a fixed time, even if the service is slow, and its latency is measured from that
 * time. The gaps between the times are random, but the same in each run. Completions, searches and similar GIFs are
 * requested as in the log.
 *
 *   uncached: each search and each completion in the log once, so that every search is embedded and ranked
 *   the log:  every line, with repetitions and further pages, on the same service right after that
 *
 * --kill and --stop send SIGKILL or SIGSTOP to the embedding process after a third of an uncached run. During that run,
 * a cached response is requested every 5 ms (probe.ts). At the same moments, a response is requested from a bare
 * server. The service itself records how long its event loops were busy (turns.ts). Load and service share the
 * machine's cores.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { normaliseQuery } from '@zoetrope/search';
import { DEVELOPMENT, type Server, startServer, temporaryFolder } from '../../../test/support/server.ts';
import { random } from '../../support/corpus.ts';
import { endWithUsage } from '../../support/data.ts';
import { percentile } from '../../support/measure.ts';
import { machineSeconds, processTree } from '../../support/memory.ts';
import type { Waits } from '../../support/probe.ts';
import { type LoggedQuery, readQueryLog } from '../../support/query-log.ts';
import { readTurns, type Turn } from '../../support/turns.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string', default: '150' },
    seconds: { type: 'string', default: '60' },
    kill: { type: 'boolean', default: false },
    stop: { type: 'boolean', default: false },
  },
});
const RATE = Number(values.rate);
const SECONDS = Number(values.seconds);
const REQUESTS = RATE * SECONDS;
/** Seconds of load before the measurement, until code is compiled and caches are filled. */
const WARM_UP_SECONDS = 8;
const THREADS = 2;
/**
 * Number of connections. They are used in turn, so that no connection is used again while it still waits for a slow
 * response.
 */
const CONNECTIONS = 48;
/** Maximum offset of the field `semantic` in a search response, in bytes. The field comes before the items. */
const SEMANTIC_WITHIN = 2_000;
const TARGETS = { search: 40, suggest: 10, back: 5, blocked: 20 };

type Operation = LoggedQuery['op'];

interface Wanted {
  op: Operation;
  path: string;
}

interface Outcome {
  op: Operation;
  /** The times when the request was due and when its response arrived, in milliseconds since the start of the run. */
  due: number;
  answered: number;
  /** Number of milliseconds by which the request was sent late. */
  late: number;
  ok: boolean;
  semantic: boolean;
}

interface Run {
  outcomes: Outcome[];
  /** Average number of cores that other programs on the machine used during the run. */
  others: number;
}

const [data, logFile] = positionals;
if (!data || !logFile) {
  endWithUsage('replay DATA-FOLDER QUERY-LOG [--rate 150] [--seconds 60] [--kill] [--stop]', 'data', 'log');
}
const log = readQueryLog(logFile);

function pathOf({ op, q, offset }: LoggedQuery, id: string): string {
  if (op === 'similar') return `/api/v1/gifs/${encodeURIComponent(id)}/similar`;
  return `/api/v1/${op}?q=${encodeURIComponent(q)}${offset > 0 ? `&offset=${offset}` : ''}`;
}

/** Yields every search and every completion of the log once. Of each search, only the first page is yielded. */
function* uncached(ids: readonly string[]): Generator<Wanted> {
  const seen = new Set<string>();
  let similar = 0;
  for (const line of log) {
    const key = `${line.op} ${line.op === 'similar' ? similar : normaliseQuery(line.q)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const id = ids[line.op === 'similar' ? similar++ % ids.length : 0]!;
    yield { op: line.op, path: pathOf({ ...line, offset: 0 }, id) };
  }
}

function asLogged(ids: readonly string[]): Wanted[] {
  return log.slice(0, REQUESTS).map((line, i) => ({ op: line.op, path: pathOf(line, ids[i % ids.length]!) }));
}

const agents = Array.from({ length: CONNECTIONS }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }));

/** @returns the status and the first bytes of the body */
function get(url: string, agent: http.Agent): Promise<{ status: number; head: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; head: Buffer }>();
  const request = http.get(url, { agent, headers: DEVELOPMENT }, (response) => {
    let head: Buffer | undefined;
    response.on('data', (chunk: Buffer) => {
      head ??= chunk.subarray(0, SEMANTIC_WITHIN);
    });
    response.on('end', () => resolve({ status: response.statusCode!, head: head ?? Buffer.alloc(0) }));
    response.on('error', reject);
  });
  request.on('error', reject);
  return promise;
}

/** Sends the requests at their times. Calls `at.act` once, after `at.ms` milliseconds. */
async function replay(server: Server, wanted: readonly Wanted[], at?: { ms: number; act: () => void }): Promise<Run> {
  const next = random(23);
  const outcomes: Promise<Outcome>[] = [];
  const before = machineSeconds(process.pid);
  const start = performance.now();
  const now = () => performance.now() - start;
  let due = 0;
  let acted = false;
  for (const [n, { op, path }] of wanted.entries()) {
    due += (-Math.log(1 - next()) * 1000) / RATE;
    const wait = due - now();
    if (wait > 0) await sleep(wait);
    if (at && !acted && now() >= at.ms) {
      acted = true;
      at.act();
    }
    const started = { op, due, late: now() - due };
    outcomes.push(
      get(server.url + path, agents[n % CONNECTIONS]!).then(
        ({ status, head }) => ({
          ...{ ...started, answered: now(), ok: status === 200 },
          semantic: op === 'search' && head.includes('"semantic":true'),
        }),
        () => ({ ...started, answered: now(), ok: false, semantic: false }),
      ),
    );
  }
  const run = await Promise.all(outcomes);
  const after = machineSeconds(process.pid);
  const others = after.all - before.all - (after.own - before.own);
  return { outcomes: run, others: others / (now() / 1000) };
}

/** Returns ids of GIFs that searches find, for requests for similar GIFs. */
async function findIds(server: Server): Promise<string[]> {
  const ids = new Set<string>();
  for (const { q } of log.filter(({ op }) => op === 'search').slice(-30)) {
    const answer = await server.get(`/api/v1/search?limit=50&mode=text&q=${encodeURIComponent(q)}`);
    for (const { id } of ((await answer.json()) as { items: { id: string }[] }).items) ids.add(id);
  }
  return [...ids];
}

/** Starts a service and warms it up. Also returns requests that the service has not received yet. */
async function startWarm(data: string, env: Record<string, string> = {}) {
  const server = await startServer(data, { ZOETROPE_THREADS: String(THREADS), ZOETROPE_STARTER: 'off', ...env });
  const ids = await findIds(server);
  const all = [...uncached(ids)];
  await waitForMeaning(server);
  await replay(server, all.slice(REQUESTS, REQUESTS + RATE * WARM_UP_SECONDS));
  return { server, ids, wanted: all.slice(0, REQUESTS) };
}

async function waitForMeaning(server: Server): Promise<void> {
  for (let n = 0; n < 100; n++) {
    const answer = await server.get(`/api/v1/search?q=nobody+asks+${n}`);
    if ((await answer.text()).includes('"semantic":true')) return;
    await sleep(200);
  }
  throw new Error('no response uses semantic search: the data folder needs a build with vectors from the embedder');
}

const number = (value: number): string => value.toFixed(1).padStart(9);

function p99Of({ outcomes }: Run, op: Operation): number {
  return percentile(latencies(outcomes, op), 0.99);
}

function latencies(outcomes: readonly Outcome[], op: Operation): number[] {
  const times = outcomes.filter((outcome) => outcome.op === op).map(({ due, answered }) => answered - due);
  return times.sort((a, b) => a - b);
}

function printRun(name: string, { outcomes, others }: Run): void {
  const failed = outcomes.filter(({ ok }) => !ok).length;
  const searches = outcomes.filter(({ op }) => op === 'search');
  const degraded = searches.filter(({ semantic }) => !semantic).length;
  const late = outcomes.map((outcome) => outcome.late).sort((a, b) => a - b);
  console.log(`${name}: ${outcomes.length} requests, ${failed} failed, ${degraded} searches without semantic search`);
  console.log(`${'ms'.padEnd(12)}${['p50', 'p99', 'longest', 'requests'].map((cell) => cell.padStart(9)).join('')}`);
  for (const op of ['search', 'suggest', 'similar'] as const) {
    const times = latencies(outcomes, op);
    const cells = [percentile(times, 0.5), percentile(times, 0.99), times.at(-1)!].map(number);
    console.log(`${op.padEnd(12)}${cells.join('')}${String(times.length).padStart(9)}`);
  }
  console.log(`other programs used ${others.toFixed(2)} cores meanwhile`);
  console.log(`${'sent late'.padEnd(12)}${[0.5, 0.99, 1].map((share) => number(percentile(late, share))).join('')}`);
  console.log();
}

function printTarget(met: boolean, name: string): void {
  console.log(`${met ? 'met   ' : 'MISSED'} ${name}`);
}

async function benchSpeed(data: string): Promise<void> {
  const { server, ids, wanted } = await startWarm(data);
  await using _ = server;
  const cold = await replay(server, wanted);
  printRun('uncached', cold);
  const warm = await replay(server, asLogged(ids));
  printRun('the log', warm);
  printTarget(p99Of(cold, 'search') <= TARGETS.search, `p99 of an uncached search at most ${TARGETS.search} ms`);
  for (const [name, run] of Object.entries({ uncached: cold, 'of the log': warm })) {
    printTarget(p99Of(run, 'suggest') <= TARGETS.suggest, `p99 of a suggestion at most ${TARGETS.suggest} ms, ${name}`);
  }
  printTarget(
    [...cold.outcomes, ...warm.outcomes].every(({ ok }) => ok),
    'no request fails',
  );
}

const PROBED = { service: 'cached answer', bare: 'bare server' };

/** Returns the waiting times recorded since the last call, sorted. */
async function probed(probe: Worker): Promise<Waits> {
  probe.postMessage('tell');
  const [{ service, bare }] = (await once(probe, 'message')) as [Waits];
  return { service: service.sort((a, b) => a - b), bare: bare.sort((a, b) => a - b) };
}

/** Starts a server that does nothing, in a separate process. */
async function startBare(): Promise<{ url: string; process: ChildProcess }> {
  const program = `
    const server = require('node:http').createServer((_, response) => response.end('{}'));
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}/`, process: child };
}

async function benchFailure(data: string, signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  using folder = temporaryFolder();
  const turns = path.join(folder.path, 'turns');
  const preload = `--import=${path.join(import.meta.dirname, '../../support/turns.ts')}`;
  const { server, wanted } = await startWarm(data, { NODE_OPTIONS: preload, BENCH_TURNS: turns });
  await using _ = server;
  const bare = await startBare();
  const urls = { service: `${server.url}/api/v1/suggest?q=happy`, bare: bare.url };
  const probe = new Worker(new URL('../../support/probe.ts', import.meta.url), {
    workerData: { urls, headers: DEVELOPMENT },
  });
  const ms = (SECONDS * 1000) / 3;
  const before = Promise.withResolvers<Waits>();
  const act = () => {
    const child = processTree(server.process.pid!).find(({ command }) => /embed.child/.test(command));
    process.kill(child!.pid, signal);
    before.resolve(probed(probe));
  };
  const start = Date.now();
  const run = await replay(server, wanted, { ms, act });
  const waits = { before: await before.promise, after: await probed(probe) };
  await probe.terminate();
  bare.process.kill();
  printRun(signal, run);
  report(signal, run.outcomes, { waits, turns: readTurns(turns, start) });
}

interface Loops {
  waits: Record<'before' | 'after', Waits>;
  turns: Turn[];
}

function report(signal: string, outcomes: readonly Outcome[], { waits, turns }: Loops): void {
  const ms = (SECONDS * 1000) / 3;
  const later = outcomes.filter(({ op, due }) => op === 'search' && due >= ms);
  const without = later.filter(({ semantic }) => !semantic);
  const firstWithout = without[0]?.due ?? ms;
  const back = later.find(({ semantic, due }) => semantic && due > firstWithout)?.answered;
  const seconds = ((back ?? Number.POSITIVE_INFINITY) - ms) / 1000;
  console.log(
    `semantic search was back ${seconds.toFixed(2)} s after ${signal}; ${without.length} responses did not use it,`,
  );
  console.log(`the last of them ${(((without.at(-1)?.due ?? ms) - ms) / 1000).toFixed(2)} s after the signal`);
  for (const when of ['before', 'after'] as const) {
    for (const whom of ['service', 'bare'] as const) {
      const cells = [0.5, 0.99, 1].map((share) => number(percentile(waits[when][whom], share))).join('');
      console.log(`${`${PROBED[whom]}, ${when}`.padEnd(26)}${cells}`);
    }
  }
  printTarget(
    outcomes.every(({ ok }) => ok),
    'no request fails',
  );
  printTarget(seconds <= TARGETS.back, `semantic search is back within ${TARGETS.back} s`);
  const longest = turns.at(-1);
  const slowest = turns.toSorted((a, b) => a.passed - b.passed).at(-1);
  const of = longest === undefined ? '' : `, in ${longest.passed.toFixed(1)} ms, on thread ${longest.thread}`;
  console.log(`longest turn of an event loop: ${longest?.cpu.toFixed(1) ?? 'under 4'} ms of CPU time${of}`);
  const [passed, cpu] = [slowest?.passed ?? 0, slowest?.cpu ?? 0].map((ms) => ms.toFixed(1));
  console.log(`longest by the clock, with its waits for a core: ${passed} ms, ${cpu} ms of them CPU time`);
  printTarget((longest?.cpu ?? 0) <= TARGETS.blocked, `no event loop is blocked longer than ${TARGETS.blocked} ms`);
  console.log();
}

if (!values.kill && !values.stop) await benchSpeed(data);
if (values.kill) await benchFailure(data, 'SIGKILL');
if (values.stop) await benchFailure(data, 'SIGSTOP');
for (const agent of agents) agent.destroy();
