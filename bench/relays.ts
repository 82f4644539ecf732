// How many events of relays are taken in a second, and how many signatures are checked bare?
import os from 'node:os';
import path from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { initNostrWasm } from 'nostr-wasm';
import { Value } from 'typebox/value';
import { WebSocketServer } from 'ws';
import { authorsOf, catchUp, RelayConfig, streamsOf } from '../packages/server/src/ingest/index.ts';
import { Intake } from '../packages/server/src/ingest/relays/intake.ts';
import { createLog } from '../packages/server/src/log.ts';
import { createVerifier, type RelayEvent, reportRelays } from '../packages/server/src/platform/relay/index.ts';
import { openStore } from '../packages/server/src/store.ts';
import { temporaryFolder } from '../test/support/server.ts';
import { option } from './load.ts';
import { cpu } from './measure.ts';

/*
 * `npm run bench relays [--events N]`
 *
 * A relay in a thread gives files (kind 1063) page by page, no two of the same; what it told is written down in the
 * database of a new data folder. Baseline: the same signatures, checked by the same threads and nothing else.
 */

const EVENTS = option('events', 100_000);
const START = 1_790_000_000;
const PAGE = 500;
const THREADS = Math.min(2, os.availableParallelism());

if (isMainThread) await measure();
else serveEvents(workerData as RelayEvent[]);

async function measure(): Promise<void> {
  const events = await makeEvents();
  const verifier = createVerifier(THREADS);
  await verifier.verify(events.slice(0, 1_000));
  const bare = await timed(async () => {
    for (let from = 0; from < events.length; from += PAGE) await verifier.verify(events.slice(from, from + PAGE));
  });
  using folder = temporaryFolder();
  const { db } = await openStore(path.join(folder.path, 'data'));
  const relay = new Worker(import.meta.filename, { workerData: events });
  const url = await new Promise<string>((resolve) => relay.once('message', resolve));
  const config = { ...(Value.Default(RelayConfig, {}) as RelayConfig), noteDays: 0, reactions: 'off' as const };
  const authors = authorsOf(config, []);
  const clock = { now: () => 1_000 * (START + EVENTS) };
  const intake = new Intake({ db, verifier, clock, minAuthors: 3 }, authors);
  const streams = streamsOf(config, authors);
  const signal = new AbortController().signal;
  const options = { url, db, intake, streams, authors: authors.name, clock, log: createLog('warn'), signal };
  const taken = await timed(() => catchUp(options));
  const [report] = await reportRelays(db);
  const claims = await db
    .selectFrom('claims')
    .select((count) => count.fn.countAll<number>().as('n'))
    .executeTakeFirst();
  if (report?.counts['taken'] !== EVENTS || claims?.n !== EVENTS) throw new Error(JSON.stringify([report, claims]));
  console.log(`${EVENTS} events, ${THREADS} threads that check signatures`);
  console.log(`bare checks   ${row(bare)}`);
  console.log(`taken in      ${row(taken)}`);
  console.log(`ratio         ${(bare.seconds / taken.seconds).toFixed(2)} (target: 1,500 a second)`);
  await Promise.all([verifier.close(), relay.terminate(), db.destroy()]);
}

interface Timed {
  seconds: number;
  cpuSeconds: number;
}

function row({ seconds, cpuSeconds }: Timed): string {
  const each = ((1e6 * cpuSeconds) / EVENTS).toFixed(0);
  return `${Math.round(EVENTS / seconds)} a second, ${each} CPU microseconds each`;
}

async function timed(act: () => Promise<unknown>): Promise<Timed> {
  const began = performance.now();
  const used = cpu();
  await act();
  return { seconds: (performance.now() - began) / 1_000, cpuSeconds: (cpu() - used) / 1_000 };
}

async function makeEvents(): Promise<RelayEvent[]> {
  const nostr = await initNostrWasm();
  const keys = Array.from({ length: 100 }, () => nostr.generateSecretKey());
  return Array.from({ length: EVENTS }, (_, n) => {
    const hash = n.toString(16).padStart(64, '0');
    const event = {
      kind: 1063,
      created_at: START + n,
      content: `A cat that dances, number ${n}`,
      tags: [
        ['url', `https://media.example/${hash}.gif`],
        ['m', 'image/gif'],
        ['x', hash],
        ['dim', '480x270'],
        ['size', '1834201'],
        ['blurhash', 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'],
        ['alt', `A cat on a table, number ${n}`],
        ['t', 'cat'],
        ['t', `dance${n % 500}`],
      ],
      id: '',
      pubkey: '',
      sig: '',
    };
    nostr.finalizeEvent(event, keys[n % keys.length]!);
    return event;
  });
}

/** A relay whose only filter is time: others take long to look through a hundred thousand events, page after page. */
function serveEvents(events: RelayEvent[]): void {
  const newest = events.toReversed().map((event) => ({ at: event.created_at, text: JSON.stringify(event) }));
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }, () => {
    parentPort!.postMessage(`ws://127.0.0.1:${(server.address() as { port: number }).port}`);
  });
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const [type, id, { kinds = [], until = Number.POSITIVE_INFINITY } = {}] = JSON.parse(String(data));
      if (type !== 'REQ') return;
      const first = Math.max(0, newest[0]!.at - until);
      const page = kinds.includes(1063) ? newest.slice(first, first + PAGE) : [];
      for (const { text } of page) socket.send(`["EVENT","${id}",${text}]`);
      socket.send(`["EOSE","${id}"]`);
    }),
  );
}
