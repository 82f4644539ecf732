// What do admission, limits and the request log cost, and how much do 50,000 unknown callers slow down registered ones?
import fs from 'node:fs';
import path from 'node:path';
import { makeKey } from '../../../packages/server/src/identifiers/api-key.ts';
import { writeManifest } from '../../../test/support/catalogue.ts';
import { sendRaw } from '../../../test/support/faults/raw-http.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { corpusDocument, mixedQuery } from '../../support/corpus.ts';
import { median, option, startRaw, wrk } from '../../support/load.ts';
import { machineSeconds } from '../../support/memory.ts';

/*
 * Needs wrk and Linux. `npm run bench admission [--seconds S] [--rounds R] [--processes P]`
 *
 * All servers of a set run at the same time. A registered client requests the same cached response from each server in
 * turn. The order is reversed after each round. Other programs affect the number of requests per second, but hardly the
 * CPU time per request.
 */

const DOCUMENTS = 20_000;
/**
 * Seconds per round. There are many short rounds, because the machine's speed changes within seconds, so that only
 * neighbouring rounds can be compared.
 */
const SECONDS = option('seconds', 1);
const ROUNDS = option('rounds', 8);
/** Number of processes per variant. Two processes of one variant differ by a tenth, because of their memory layout. */
const SETS = option('processes', 5);
/** Seconds of requests until the code is compiled. */
const WARM_UP_SECONDS = 4;
const STRANGERS = 50_000;
const VISITS = 9;
const ORIGIN = 'https://app.example';

/** A limit so high that requests are counted but never refused. */
const LIMITS = { ZOETROPE_RATES: 'search=100000000' };
const LOG = { ZOETROPE_REQUEST_LOG: 'on' };
const NO_ADMISSION = {
  NODE_OPTIONS: `--import=${path.join(import.meta.dirname, '../../support/without-admission.ts')}`,
};

const VARIANTS: Record<string, Record<string, string>> = {
  none: NO_ADMISSION,
  admission: {},
  limits: { ...NO_ADMISSION, ...LIMITS },
  log: { ...NO_ADMISSION, ...LOG },
  all: { ...LIMITS, ...LOG },
};

/** A server, and its figures in each round. */
interface Measured {
  url: string;
  pid: number;
  perSecond: number[];
  /** CPU microseconds per request. */
  cpu: number[];
}

using folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const query = mixedQuery(0).split(' ')[0]!;
const target = `/api/v1/search?q=${query}`;
const stderr = fs.openSync(path.join(folder.path, 'stderr'), 'a');

async function fill(): Promise<void> {
  const rows = Array.from({ length: DOCUMENTS }, (_, n) => {
    const { characters, ...document } = corpusDocument(n);
    return { ...document, character: characters };
  });
  const manifest = writeManifest(path.join(folder.path, 'corpus.jsonl'), rows);
  for (const args of [
    ['add', manifest, '--quiet'],
    ['client', 'add', 'App', '--origin', ORIGIN],
  ]) {
    const outcome = await zoetrope(data, args, { ZOETROPE_EMBEDDER: 'none' });
    if (outcome.code !== 0) throw new Error(outcome.stderr);
  }
}

/** Starts a server on its own copy of the data folder, because only one process can serve a data folder. */
async function start(name: string, env: Record<string, string>): Promise<Server> {
  const own = path.join(folder.path, name);
  fs.cpSync(data, own, { recursive: true });
  return startServer(own, { ZOETROPE_THREADS: '1', ZOETROPE_EMBEDDER: 'none', ...env }, stderr);
}

/** Runs one round of load and adds it to the figures. */
function load(measured: Measured): void {
  const before = machineSeconds(measured.pid).own;
  const { perSecond } = wrk(measured.url, { seconds: SECONDS, headers: [`Origin: ${ORIGIN}`] });
  const used = machineSeconds(measured.pid).own - before;
  measured.perSecond.push(perSecond);
  measured.cpu.push((used * 1e6) / (perSecond * SECONDS));
}

/**
 * Divides the values of one server by those of another server, round by round. Returns the median and the range of
 * these ratios.
 */
function ratio(own: readonly number[], base: readonly number[]): string {
  const ratios = own.map((value, round) => value / base[round]!);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return `${median(ratios).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

function print(name: string, { perSecond, cpu }: Measured): void {
  const rate = `${median(perSecond).toFixed(0)}/s`.padStart(9);
  const least = Math.min(...cpu)
    .toFixed(1)
    .padStart(5);
  console.log(`${name.padEnd(24)}${rate}  ${median(cpu).toFixed(1).padStart(5)} us CPU a request, at least ${least}`);
}

/** Measures every variant and a bare server, each in a separate process, for some rounds. */
async function measure(into: Map<string, Measured>, set: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const at = (name: string, url: string, pid: number) => {
    const measured = into.get(name) ?? { url, pid, perSecond: [], cpu: [] };
    into.set(name, Object.assign(measured, { url, pid }));
  };
  let all: Server | undefined;
  for (const [name, env] of Object.entries(VARIANTS)) {
    all = stack.use(await start(`${name}-${set}`, env));
    at(name, all.url + target, all.process.pid!);
  }
  const answer = await all!.get(target, { origin: ORIGIN });
  const body = Buffer.from(await answer.arrayBuffer());
  const raw = await startRaw(body, answer.headers, folder.path);
  stack.defer(() => void raw.process.kill());
  at('raw', raw.url + target, raw.process.pid!);
  const servers = [...into.values()];
  for (const { url } of servers) wrk(url, { seconds: WARM_UP_SECONDS, headers: [`Origin: ${ORIGIN}`] });
  for (let round = 0; round < ROUNDS; round++)
    for (const each of round % 2 ? servers : servers.toReversed()) load(each);
}

async function costs(): Promise<void> {
  const measured = new Map<string, Measured>();
  for (let set = 0; set < SETS; set++) await measure(measured, set);
  const of = (name: string) => measured.get(name)!;
  console.log(`a cached answer, one thread, median of ${SETS} processes of each with ${ROUNDS} rounds of ${SECONDS} s`);
  for (const [name, each] of measured) print(name, each);
  const compare = (label: string, name: string, base: string) => {
    const speed = ratio(of(name).perSecond, of(base).perSecond);
    // Other programs can only slow a server down, so the best round is closest to the result on an otherwise idle
    // machine.
    const best = Math.max(...of(name).perSecond) / Math.max(...of(base).perSecond);
    const cpu = Math.min(...of(name).cpu) / Math.min(...of(base).cpu);
    console.log(`${label}: ${speed}; best rounds ${best.toFixed(2)} of the speed, ${cpu.toFixed(2)} of the CPU time`);
  };
  compare('admission against none (target 0.95)', 'admission', 'none');
  compare('limits against none', 'limits', 'none');
  compare('log against none', 'log', 'none');
  compare('all three against none', 'all', 'none');
  compare('all three against raw node:http (target 0.85)', 'all', 'raw');
}

/** Sends requests from unknown callers. Half of them send an origin, and half send a key with a valid checksum. */
async function visit(url: string, from: number, count: number): Promise<void> {
  const ask = (who: string) => `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${who}\r\n`;
  const requests = Array.from({ length: count }, (_, n) => {
    const isOrigin = n % 2 === 0;
    const who = isOrigin ? `origin: https://stranger-${from + n}.example` : `authorization: Bearer ${makeKey()}`;
    return { head: `${ask(who)}${n === count - 1 ? 'connection: close\r\n' : ''}\r\n` };
  });
  const answers = await sendRaw(url, requests);
  if (answers.length !== count || answers.some(({ status }) => status !== 403))
    throw new Error('an unknown caller was admitted');
}

async function strangers(): Promise<void> {
  await using server = await start('strangers', { ...LIMITS, ...LOG });
  const fresh = (): Measured => ({ url: server.url + target, pid: server.process.pid!, perSecond: [], cpu: [] });
  wrk(server.url + target, { seconds: WARM_UP_SECONDS, headers: [`Origin: ${ORIGIN}`] });
  const [before, after] = [fresh(), fresh()];
  for (let round = 0; round < VISITS; round++) {
    load(before);
    for (let from = 0; from < STRANGERS; from += 250) await visit(server.url, round * STRANGERS + from, 250);
    load(after);
  }
  print('before unknown callers', before);
  print('after unknown callers', after);
  console.log(
    `after ${STRANGERS} new unknown callers per round (target 0.97): ${ratio(after.perSecond, before.perSecond)}`,
  );
}

await fill();
await costs();
await strangers();
fs.closeSync(stderr);
