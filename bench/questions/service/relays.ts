// How many events from relays are ingested per second, compared with checking their signatures only?
// quick: --events 500
import os from 'node:os';
import path from 'node:path';
import { Value } from 'typebox/value';
import { createLog } from '../../../packages/server/src/base/log.ts';
import { createVerifier, reportRelays } from '../../../packages/server/src/platform/relay/index.ts';
import { makeFiles, startBulkRelay } from '../../../packages/server/src/platform/relay/testing/bulk-relay.ts';
import { tables } from '../../../packages/server/src/records/tables.ts';
import { authorsOf } from '../../../packages/server/src/relays/authors.ts';
import { RelayConfig } from '../../../packages/server/src/relays/config.ts';
import { catchUp } from '../../../packages/server/src/relays/follow.ts';
import { Intake } from '../../../packages/server/src/relays/intake.ts';
import { streamsOf } from '../../../packages/server/src/relays/streams.ts';
import { openStore } from '../../../packages/server/src/service/store.ts';
import { temporaryFolder } from '../../../test/support/server.ts';
import { option } from '../../support/load.ts';
import { cpu } from '../../support/measure.ts';

/*
 * `npm run bench relays [--events N]`
 *
 * A relay in a thread returns events about different files (kind 1063), page by page. The events are stored in the
 * database of a new data folder. The baseline is the same threads, which check the same signatures and do nothing else.
 */

const EVENTS = option('events', 100_000);
const PAGE = 500;
const THREADS = Math.min(2, os.availableParallelism());

await measure();

async function measure(): Promise<void> {
  const events = await makeFiles(EVENTS);
  const verifier = createVerifier(THREADS);
  await verifier.verify(events.slice(0, 1_000));
  const bare = await timed(async () => {
    for (let from = 0; from < events.length; from += PAGE) await verifier.verify(events.slice(from, from + PAGE));
  });
  using folder = temporaryFolder();
  const { db } = await openStore(path.join(folder.path, 'data'));
  const relay = await startBulkRelay(events);
  const config = { ...(Value.Default(RelayConfig, {}) as RelayConfig), noteDays: 0, reactions: 'off' as const };
  const authors = authorsOf(config, []);
  const clock = { now: () => 1_000 * (events.at(-1)!.created_at + 1) };
  const intake = new Intake(
    { db, verifier, clock, minAuthors: 3, marks: 3, quotas: { author: EVENTS, relay: EVENTS } },
    authors,
  );
  const streams = streamsOf(config, authors);
  const signal = new AbortController().signal;
  const options = { url: relay.url, db, intake, streams, authors: authors.name, clock, log: createLog('warn'), signal };
  const taken = await timed(() => catchUp(options));
  const [report] = await reportRelays(db);
  const claims = await tables(db)
    .selectFrom('claims')
    .select((count) => count.fn.countAll<number>().as('n'))
    .executeTakeFirst();
  if (report?.counts['taken'] !== EVENTS || claims?.n !== EVENTS) throw new Error(JSON.stringify([report, claims]));
  console.log(`${EVENTS} events, ${THREADS} threads that check signatures`);
  console.log(`checks only   ${row(bare)}`);
  console.log(`ingested      ${row(taken)}`);
  console.log(`ratio         ${(bare.seconds / taken.seconds).toFixed(2)} (target: 1,500 a second)`);
  await Promise.all([verifier.close(), relay.stop(), db.destroy()]);
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
