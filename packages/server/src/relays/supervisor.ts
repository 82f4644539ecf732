import os from 'node:os';
import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { keepDoing, pause, repeat, type Stoppable } from '../base/repeat.ts';
import { refreshClaimed } from '../claims/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { Fetcher } from '../platform/fetch/index.ts';
import type { Lock } from '../platform/lock/index.ts';
import {
  createVerifier,
  findLists,
  RelayConnection,
  RelayError,
  type RelayEvent,
  saveLists,
  type Verifier,
} from '../platform/relay/index.ts';
import type { By } from '../registry/index.ts';
import {
  describeEnd,
  isWorkFree,
  joinNodes,
  openMedia,
  runCommand,
  type Service,
  takeWorkLock,
} from '../service/index.ts';
import { needsBuild, type Task } from '../work/index.ts';
import { relayAddress } from './addresses.ts';
import { readServers } from './author-servers.ts';
import { type Authors, authorsOf, FOLLOWS, listedPubkeys, newestLists } from './authors.ts';
import { seeAddresses } from './files.ts';
import { catchUp, followRelay } from './follow.ts';
import { Intake } from './intake.ts';
import { joinRelay } from './report.ts';
import { streamsOf } from './streams.ts';
import { wantedRelays } from './wanted.ts';

/** Time between two searches for new relays, new URLs and other changes, in milliseconds. */
const LOOK_MS = 2_000;
/** Time between two checks whether another machine still follows relays, in milliseconds. */
const BUSY_MS = 10_000;
/**
 * Minimum time between builds, in milliseconds. If the last build took longer, the minimum is the duration of that
 * build.
 */
const BUILD_MS = 10_000;
/** Time between two searches for new authors whose Blossom servers are not known, in milliseconds. */
const SERVERS_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const DAY = 86_400;

/** The data needed to read relays. */
interface Reading {
  service: Service;
  intake: Intake;
  authors: Authors;
  verifier: Verifier;
  /** Checks the URLs that are due. @returns the number of checked URLs */
  see(signal: AbortSignal): Promise<number>;
}

/**
 * Takes the lock for reading relays, because only one process can read them.
 * @throws OperatorError if another process reads relays
 */
function lockRelays({ store }: Service): Promise<Lock> {
  return takeWorkLock(store, 'relays', { holder: 'zoetrope relays follow' });
}

async function tryLock(service: Service): Promise<Lock | undefined> {
  try {
    return await lockRelays(service);
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

/** Opens everything that is needed for reading relays. */
async function openReading(service: Service, resources: AsyncDisposableStack): Promise<Reading> {
  const { config, store, log } = service;
  const verifier = createVerifier(Math.min(2, os.availableParallelism()));
  resources.defer(() => verifier.close());
  const media = openMedia(service);
  resources.defer(() => media.close());
  const fetcher = new Fetcher(config.fetch);
  resources.defer(() => fetcher.close());
  const authors = authorsOf(config.relays, await findLists(store.db));
  const { minAuthors, marks, authorEvents, relayEvents, hostFiles, bytes } = config.relays;
  const quotas = { author: authorEvents, relay: relayEvents };
  const intake = new Intake({ db: store.db, verifier, clock: systemClock, minAuthors, marks, quotas }, authors);
  const { maxBytes, downloadTimeoutMs: timeoutMs, keepLinked } = config.media;
  const keeps = keepLinked === 'on' ? 'kept' : 'linked';
  const files = {
    db: store.db,
    media,
    fetcher,
    clock: systemClock,
    log: log.child({ room: 'ingest' }),
    maxBytes,
    timeoutMs,
    store: config.relays.store === 'originals' ? config.relays.store : keeps,
    quotas: { hostFiles, bytes },
    deriving: () => intake.deriving,
  } as const;
  return { service, intake, authors, verifier, see: (signal) => seeAddresses({ ...files, signal }) };
}

/**
 * Saves relays, so that they will be followed, and reads each relay once.
 * @returns false if a running service reads the relays
 */
export async function readRelays(service: Service, by: By, addresses: readonly string[], task: Task): Promise<boolean> {
  const urls = addresses.map(relayAddress);
  for (const url of urls) await joinRelay(service, by, url);
  await using resources = new AsyncDisposableStack();
  const lock = await tryLock(service);
  if (lock === undefined) return false;
  resources.defer(() => lock.release());
  const reading = await openReading(service, resources);
  await takeLists(reading, urls);
  await allow(reading);
  const counted = countingIntake(reading.intake, (done) => task.onProgress({ phase: 'events', done, total: null }));
  for (const url of urls) {
    await catchUp({ ...followOptions(reading, url, task.signal), intake: counted }).catch((error) => {
      throw error instanceof RelayError ? new OperatorError(`${url}: ${error.message}`, { cause: error }) : error;
    });
  }
  let seen = 0;
  for (let more = await reading.see(task.signal); more > 0; more = await reading.see(task.signal)) {
    seen += more;
    task.onProgress({ phase: 'files', done: seen, total: null });
  }
  await takeServers(reading, urls, task.signal);
  return true;
}

function countingIntake(intake: Intake, onCount: (events: number) => void): Pick<Intake, 'take'> {
  let count = 0;
  return {
    async take(batch) {
      await intake.take(batch);
      count += batch.events.length;
      onCount(count);
    },
  };
}

function followOptions({ service, intake, authors }: Reading, url: string, signal: AbortSignal) {
  const { config, store, log } = service;
  const streams = streamsOf(config.relays, authors);
  const room = log.child({ room: 'relays' });
  return { url, db: store.db, intake, streams, authors: authors.name, clock: systemClock, log: room, signal };
}

/** Fetches the follow lists of the listed people, if the settings use them. */
async function takeLists({ service, verifier }: Reading, urls: readonly string[]): Promise<void> {
  const { config, store, log } = service;
  if (config.relays.authors !== 'followed') return;
  const authors = listedPubkeys(config.relays);
  const found: RelayEvent[] = [...(await findLists(store.db))];
  for (const url of urls) {
    try {
      const connection = await RelayConnection.open({ url, onRefused: () => {} });
      const { events } = await connection.page({ kinds: [FOLLOWS], authors }).finally(() => connection.close());
      const verdicts = await verifier.verify(events);
      found.push(...events.filter((_, i) => verdicts[i]));
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      log.info({ relay: url, reason: error.message }, 'could not fetch follow lists');
    }
  }
  await saveLists(store.db, newestLists(found));
}

/** Fetches the lists of the Blossom servers of authors, because dead links are looked for there. */
function takeServers({ service, verifier }: Reading, urls: readonly string[], signal: AbortSignal): Promise<void> {
  const log = service.log.child({ room: 'relays' });
  return readServers({ db: service.store.db, verifier, clock: systemClock, log, signal }, urls);
}

/**
 * Applies the follow lists, and deletes the claims of authors who are no longer allowed.
 * @returns whether the set of authors changed
 */
async function allow(reading: Reading): Promise<boolean> {
  const { service, intake, authors } = reading;
  const now = authorsOf(service.config.relays, await findLists(service.store.db));
  await intake.allow(now);
  reading.authors = now;
  return now.name !== authors.name;
}

/** Follows all relays until the signal aborts or no relay is left. Separate processes build the index. */
export async function followRelays(service: Service, signal: AbortSignal): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const lock = await lockRelays(service);
  resources.defer(() => lock.release());
  const presence = joinNodes(service, 'relays');
  resources.defer(async () => presence?.stop());
  const reading = await openReading(service, resources);
  await takeLists(reading, await wantedRelays(service));
  await allow(reading);
  const stopping = new AbortController();
  const until = AbortSignal.any([signal, stopping.signal]);
  const tasks = [
    followWanted(reading, until),
    repeat(until, LOOK_MS, async () => {
      while ((await reading.see(until)) > 0);
    }),
    repeat(until, BUILD_MS, () => showChanges(service, until)),
    repeat(until, SERVERS_MS, async () => takeServers(reading, await wantedRelays(service), until)),
    repeat(until, HOUR_MS, () => refresh(service.store.db, reading.intake, until)),
  ];
  for (const task of tasks) {
    const stop = () => stopping.abort();
    task.then(stop, stop);
  }
  const ends = await Promise.allSettled(tasks);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Starts and stops following relays as relays are added and removed. Ends when no relay is left. */
async function followWanted(reading: Reading, signal: AbortSignal): Promise<void> {
  const followed = new Map<string, Following>();
  let askedAt = systemClock.now();
  try {
    for (;;) {
      const wanted = await wantedRelays(reading.service);
      if (signal.aborted || wanted.length === 0) return;
      if (systemClock.now() - askedAt > HOUR_MS) {
        askedAt = systemClock.now();
        await takeLists(reading, wanted);
        // If the set of authors has changed, everything is read again.
        if (await allow(reading)) await leave(followed, () => true);
      }
      await leave(followed, (url) => !wanted.includes(url));
      for (const url of wanted) if (!followed.has(url)) followed.set(url, start(reading, url));
      await Promise.race([pause(LOOK_MS, signal), ...[...followed.values()].map(({ done }) => done)]);
    }
  } finally {
    await leave(followed, () => true);
  }
}

interface Following {
  stop(): Promise<void>;
  /** Rejects if the relay cannot be followed any more. */
  done: Promise<void>;
}

async function leave(followed: Map<string, Following>, isLeft: (url: string) => boolean): Promise<void> {
  const left = [...followed].filter(([url]) => isLeft(url));
  for (const [url] of left) followed.delete(url);
  await Promise.all(left.map(([, { stop }]) => stop()));
}

function start(reading: Reading, url: string): Following {
  const stopping = new AbortController();
  const done = followRelay(followOptions(reading, url, stopping.signal));
  return {
    done,
    stop() {
      stopping.abort();
      return done;
    },
  };
}

/** Starts a build if one is due. If another process is writing, its build will include the changes. */
async function showChanges(service: Service, signal: AbortSignal): Promise<void> {
  if (!(await needsBuild(service))) return;
  const began = systemClock.now();
  await runCommand(signal, 'work', '--quiet');
  await pause(systemClock.now() - began, signal);
}

/** Derives all records with claims again, because popularity declines a little each day. */
async function refresh(db: Database, intake: Intake, signal: AbortSignal): Promise<void> {
  const day = Math.floor(intake.deriving.now / DAY) * DAY;
  let last: string | undefined = '';
  while (last !== undefined && !signal.aborted) {
    const after: string = last;
    last = await inTransaction(db, (trx) => refreshClaimed(trx, after, { ...intake.deriving, now: day }));
  }
}

/** Runs a process that follows relays for as long as there are relays. Restarts the process when it fails. */
export function keepFollowingRelays(service: Service): Stoppable {
  const { log } = service;

  async function follow(signal: AbortSignal): Promise<void> {
    if ((await wantedRelays(service)).length === 0) return;
    if (service.store.databaseUrl !== '' && !(await isWorkFree(service.store, 'relays'))) return pause(BUSY_MS, signal);
    const end = await runCommand(signal, 'relays', 'follow');
    if (end.code === 0 || signal.aborted) return;
    log.warn({ err: end.error }, `the process that follows relays ${describeEnd(end)}; trying again`);
  }

  return keepDoing(LOOK_MS, follow, (error) => log.warn({ err: error }, 'could not follow relays; trying again'));
}
