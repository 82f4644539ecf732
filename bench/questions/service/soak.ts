// Do memory and latency stay constant under a steady load, while a manifest is added and a relay sends events? (FOLDER)
//
// The query log is replayed at a steady rate for ten minutes. A manifest is added again and again with different
// titles, so that builds with the same number of documents are made and swapped in. A relay publishes claims and likes.
// Memory is the sum over the service's processes, with shared pages counted once. It is measured while the service runs
// no separate command.

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { FilledRelay } from '../../../packages/server/src/platform/relay/testing/relay.ts';
import type { Row } from '../../../test/support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { endWithUsage } from '../../support/data.ts';
import { percentile } from '../../support/measure.ts';
import { memoryOf } from '../../support/memory.ts';
import { readQueryLog } from '../../support/query-log.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '600' },
    rate: { type: 'string', default: '100' },
    rows: { type: 'string', default: '20000' },
  },
});
const [source] = positionals;
if (source === undefined) endWithUsage('soak FOLDER [--seconds 600] [--rate 100] [--rows 20000]', 'both');
const SECONDS = Number(values.seconds);
const RATE = Number(values.rate);
const ROWS = Number(values.rows);
/** Number of rows that are added again and again. */
const CHANGING = Math.min(1_000, ROWS);
const ADD_EVERY_S = 45;
const EVENTS_A_SECOND = 2;
const SAMPLE_EVERY_S = 20;
/** Time after which code is compiled and caches are filled, in seconds. */
const SETTLED_S = Math.min(180, SECONDS * 0.3);
const TARGET = 1.05;

using folder = temporaryFolder();
const data = `${folder.path}/data`;
const rows = gunzipSync(fs.readFileSync(path.join(source, 'catalogue.jsonl.gz')))
  .toString('utf8')
  .split('\n', ROWS)
  .map((line) => JSON.parse(line) as Row);

const everything = `${folder.path}/everything.jsonl`;
const changing = `${folder.path}/changing.jsonl`;
const write = (file: string, some: readonly Row[]) =>
  fs.writeFileSync(file, some.map((row) => JSON.stringify(row)).join('\n'));
const writeChanging = (round: number) =>
  write(
    changing,
    rows.slice(0, CHANGING).map((row) => ({ ...row, title: `${row.title ?? ''} round ${round}` })),
  );
write(everything, rows.slice(CHANGING));
writeChanging(0);
const added = await zoetrope(data, ['add', '--quiet', everything, changing]);
if (added.code !== 0) throw new Error(added.stderr);

const relay = await FilledRelay.start();
const server = await startServer(data, {
  ZOETROPE_THREADS: '2',
  ZOETROPE_RELAYS: relay.url,
  // A cache of this size is full before the first sample that counts. The default cache would not be full at the end.
  ZOETROPE_TEST_EMBEDDER_CACHE: '1000',
});
const stopping = new AbortController();
const { signal } = stopping;
try {
  const others = [addAgain(signal), talk(signal), watchMemory(server, signal)] as const;
  const { failed, latencies } = await ask(server);
  stopping.abort();
  const [rounds, events, samples] = await Promise.all(others);
  samples.push({ at: SECONDS, megabytes: await memoryWhenQuiet(server) });
  report({ failed, latencies, rounds, events, samples });
} finally {
  stopping.abort();
  await server.stop();
  await relay.down();
}

/** Sends the queries of the log at the steady rate. Each request is sent at its time, even if the service is slow. */
async function ask(server: Server): Promise<{ failed: string[]; latencies: number[] }> {
  const log = readQueryLog(path.join(source!, 'queries.tsv.gz'));
  const ids = rows.map(({ id }) => id!);
  const failed: string[] = [];
  const latencies: number[] = [];
  const open: Promise<void>[] = [];
  const start = performance.now();
  for (let n = 0; n < SECONDS * RATE; n++) {
    const due = start + (n * 1_000) / RATE;
    await sleep(Math.max(0, due - performance.now()));
    const { op, q, offset } = log[n % log.length]!;
    const target =
      op === 'similar'
        ? `/api/v1/gifs/${encodeURIComponent(ids[n % ids.length]!)}/similar`
        : `/api/v1/${op}?q=${encodeURIComponent(q)}${offset > 0 ? `&offset=${offset}` : ''}`;
    const done = server.get(target).then(
      async (answer) => {
        await answer.arrayBuffer();
        latencies.push(performance.now() - due);
        // A 404 is right for an adult GIF, because GIFs similar to it cannot be requested.
        if (answer.status !== 200 && !(op === 'similar' && answer.status === 404))
          failed.push(`${answer.status} ${target}`);
      },
      (error) => void failed.push(`${error} ${target}`),
    );
    open.push(done);
  }
  await Promise.all(open);
  latencies.sort((a, b) => a - b);
  return { failed, latencies };
}

/** @returns the number of times that the manifest was added */
async function addAgain(signal: AbortSignal): Promise<number> {
  let round = 0;
  while (!signal.aborted) {
    writeChanging(++round);
    const { code, stderr } = await zoetrope(data, ['add', '--quiet', changing]);
    if (code !== 0) throw new Error(stderr);
    await pause(ADD_EVERY_S, signal);
  }
  return round;
}

/** @returns the number of published events */
async function talk(signal: AbortSignal): Promise<number> {
  const key = generateSecretKey();
  let published = 0;
  while (!signal.aborted) {
    const now = Math.floor(Date.now() / 1_000);
    const tags = [
      ['url', `https://127.0.0.1/${published}.gif`],
      ['m', 'image/gif'],
      ['x', published.toString(16).padStart(64, '0')],
    ];
    const claim = finalizeEvent({ kind: 1063, created_at: now, content: `cat ${published}`, tags }, key);
    const like = finalizeEvent({ kind: 7, created_at: now, content: '+', tags: [['e', claim.id]] }, key);
    relay.publish([claim, like]);
    published += 2;
    await pause(2 / EVENTS_A_SECOND, signal);
  }
  return published;
}

interface Sample {
  /** Seconds since the load began. */
  at: number;
  megabytes: number;
}

async function watchMemory(server: Server, signal: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  const start = performance.now();
  while (!signal.aborted) {
    await pause(SAMPLE_EVERY_S, signal);
    if (signal.aborted) break;
    samples.push({ at: (performance.now() - start) / 1_000, megabytes: await memoryWhenQuiet(server) });
  }
  return samples;
}

/** Returns the memory in megabytes, measured while the service runs no separate command, such as making a build. */
async function memoryWhenQuiet(server: Server): Promise<number> {
  for (let tries = 0; ; tries++) {
    const processes = memoryOf(server.process.pid!);
    const hasCommand = processes.filter(({ name }) => name === 'main').length > 2;
    if (!hasCommand || tries === 100) return processes.reduce((sum, { pss }) => sum + pss, 0);
    await sleep(200);
  }
}

function report(run: {
  failed: string[];
  latencies: number[];
  rounds: number;
  events: number;
  samples: Sample[];
}): void {
  const { failed, latencies, rounds, events, samples } = run;
  console.log(`${latencies.length} requests in ${SECONDS} s, ${failed.length} failed (target 0)`);
  for (const failure of failed.slice(0, 5)) console.log(`  ${failure}`);
  console.log(`p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms`);
  console.log(`the manifest was added ${rounds} times, the relay published ${events} events`);
  for (const { at, megabytes } of samples) console.log(`  ${at.toFixed(0).padStart(4)} s  ${megabytes.toFixed(0)} MB`);
  const settled = samples.find(({ at }) => at >= SETTLED_S) ?? samples[0]!;
  const ratio = samples.at(-1)!.megabytes / settled.megabytes;
  const verdict = ratio <= TARGET ? 'met' : 'MISSED';
  console.log(
    `${verdict}: memory at the end is ${ratio.toFixed(3)} of that after ${settled.at.toFixed(0)} s (target ${TARGET})`,
  );
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1_000, undefined, { signal }).catch(() => {}); // ended early by the signal
}
