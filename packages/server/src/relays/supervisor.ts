import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import {
  countAddresses,
  type MarkingAuthor,
  markingAuthors,
  refreshClaimed,
  setMarksIgnored,
  showGifs,
  wantBuild,
} from '../catalog/index.ts';
import type { Config } from '../config.ts';
import {
  type Authors,
  authorsOf,
  catchUp,
  FOLLOWS,
  followRelay,
  Intake,
  listedPubkeys,
  newestLists,
  readPubkey,
  relayAddress,
  relayAddresses,
  seeAddresses,
  streamsOf,
} from '../ingest/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { Fetcher } from '../platform/fetch/index.ts';
import { type Lock, takeLock } from '../platform/lock/index.ts';
import {
  addedRelays,
  addRelay,
  createVerifier,
  findLists,
  RelayConnection,
  RelayError,
  type RelayEvent,
  type RelayReport,
  removeRelay,
  reportRelays,
  saveLists,
  type Verifier,
} from '../platform/relay/index.ts';
import { describeEnd, runCommand } from '../service/run-command.ts';
import { needsBuild, openMedia, type Service, type Task } from '../work/work.ts';

/** How often it is looked whether there are relays, addresses or changes; in milliseconds. */
const LOOK_MS = 2_000;
/** A build shows what came until then; the next one waits at least as long, and as long as the last one took. */
const BUILD_MS = 10_000;
const HOUR_MS = 3_600_000;
const DAY = 86_400;

/** What is needed to read relays, for as long as they are read. */
interface Reading {
  service: Service;
  intake: Intake;
  authors: Authors;
  verifier: Verifier;
  /** Looks at the addresses that are due. @returns how many there were */
  see(signal: AbortSignal): Promise<number>;
}

/** The relays that are to be read: those of the configuration, and those added by command. */
async function wantedRelays({ config, store }: Service): Promise<string[]> {
  return [...new Set([...configuredRelays(config), ...(await addedRelays(store.db))])];
}

function configuredRelays({ relays }: Config): string[] {
  return relayAddresses(relays.urls);
}

/** Only one process reads relays. @throws OperatorError while another one does */
function lockRelays({ store }: Service): Lock {
  return takeLock(path.join(store.folder, 'relays.lock'), 'zoetrope relays follow');
}

function tryLock(service: Service): Lock | undefined {
  try {
    return lockRelays(service);
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

/** Opens what relays are read with. */
async function openReading(service: Service, begun: AsyncDisposableStack): Promise<Reading> {
  const { config, store, log } = service;
  store.reserve.keep();
  const verifier = createVerifier(Math.min(2, os.availableParallelism()));
  begun.defer(() => verifier.close());
  const media = openMedia(service);
  begun.defer(() => media.close());
  const fetcher = new Fetcher(config.fetch);
  begun.defer(() => fetcher.close());
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

/** Reads relays once, and remembers to follow them. @returns false when a running service does it */
export async function readRelays(service: Service, addresses: readonly string[], task: Task): Promise<boolean> {
  const { store } = service;
  const urls = addresses.map(relayAddress);
  for (const url of urls) await addRelay(store.db, url, systemClock.now());
  await using begun = new AsyncDisposableStack();
  const lock = tryLock(service);
  if (lock === undefined) return false;
  begun.defer(() => lock.release());
  const reading = await openReading(service, begun);
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

/** Asks relays whom the listed people follow, where that matters. */
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
      log.info({ relay: url, reason: error.message }, 'it was not asked whom people follow');
    }
  }
  await saveLists(store.db, newestLists(found));
}

/** Takes in whom the lists say, and forgets what others said. @returns whether they are other people than before */
async function allow(reading: Reading): Promise<boolean> {
  const { service, intake, authors } = reading;
  const now = authorsOf(service.config.relays, await findLists(service.store.db));
  await intake.allow(now);
  reading.authors = now;
  return now.name !== authors.name;
}

/** Follows all relays until the signal fires, or there is none any more. Changes are shown by builds in processes of their own. */
export async function followRelays(service: Service, signal: AbortSignal): Promise<void> {
  await using begun = new AsyncDisposableStack();
  const lock = lockRelays(service);
  begun.defer(() => lock.release());
  const reading = await openReading(service, begun);
  await takeLists(reading, await wantedRelays(service));
  await allow(reading);
  const stopping = new AbortController();
  const until = AbortSignal.any([signal, stopping.signal]);
  const tasks = [
    followWanted(reading, until),
    again(until, LOOK_MS, async () => {
      while ((await reading.see(until)) > 0);
    }),
    again(until, BUILD_MS, () => showChanges(service, until)),
    again(until, HOUR_MS, () => refresh(service.store.db, reading.intake, until)),
  ];
  for (const task of tasks) {
    const stop = () => stopping.abort();
    task.then(stop, stop);
  }
  const ends = await Promise.allSettled(tasks);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Follows each relay that is wanted, and leaves those that are not any more. Ends when there is none. */
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
        // Of other people everything is read anew.
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
  /** Rejects when it cannot go on. */
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

/** Has a build made where one is due. Should somebody else write meanwhile, it is theirs that shows everything. */
async function showChanges(service: Service, signal: AbortSignal): Promise<void> {
  if (!(await needsBuild(service))) return;
  const began = systemClock.now();
  await runCommand(signal, 'work', '--quiet');
  await pause(systemClock.now() - began, signal);
}

/** What was popular fades a little each day. */
async function refresh(db: Database, intake: Intake, signal: AbortSignal): Promise<void> {
  const day = Math.floor(intake.deriving.now / DAY) * DAY;
  let last: string | undefined = '';
  while (last !== undefined && !signal.aborted) {
    const after: string = last;
    last = await inTransaction(db, (trx) => refreshClaimed(trx, after, { ...intake.deriving, now: day }));
  }
}

async function again(signal: AbortSignal, ms: number, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await act().catch((error) => {
      if (!signal.aborted) throw error;
    });
    await pause(ms, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {}); // ended early by the signal
}

/** Lets a process of its own follow relays for as long as there are any; when it fails, another one goes on. */
export function keepFollowingRelays(service: Service): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await follow().catch((error) => service.log.warn({ err: error }, 'relays are not followed; it is tried again'));
      await pause(LOOK_MS, signal);
    }
  }

  async function follow(): Promise<void> {
    if ((await wantedRelays(service)).length === 0) return;
    const end = await runCommand(signal, 'relays', 'follow');
    if (end.code === 0 || signal.aborted) return;
    service.log.warn({ err: end.error }, `the process that follows relays ${describeEnd(end)}; it is tried again`);
  }

  const running = run().catch((error) => service.log.error({ err: error }, 'relays are no longer followed'));
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

/** What is known of all relays, and of the addresses that their events told of. */
export interface RelaysReport {
  relays: RelayReport[];
  addresses: { state: string; reason: string | null; n: number }[];
}

export async function reportOnRelays({ store }: Pick<Service, 'store'>): Promise<RelaysReport> {
  const [relays, addresses] = await Promise.all([reportRelays(store.db), countAddresses(store.db)]);
  return { relays, addresses };
}

/**
 * Ignores the adult marks of a GIF or of an author on relays, or heeds them again; a running service shows it within seconds.
 * @returns how many GIFs it concerns; null when it was so already
 * @throws OperatorError when the text is neither the id of a GIF nor a public key
 */
export async function ignoreMarks(service: Service, text: string, ignored: boolean): Promise<number | null> {
  const { config, store } = service;
  const subject = /^[0-9a-f]{64}\.gif$/.test(text) ? text : readPubkey(text);
  if (subject === undefined) {
    throw new OperatorError(
      `${text.slice(0, 100)}: give the id of a GIF of relays, or a public key (npub or hexadecimal)`,
    );
  }
  const { isNamed } = authorsOf(config.relays, await findLists(store.db));
  const { minAuthors, marks: needed } = config.relays;
  const now = Math.floor(systemClock.now() / 1_000 / DAY) * DAY;
  return inTransaction(store.db, async (trx) => {
    const gifs = await setMarksIgnored(trx, subject, ignored);
    if (gifs === null) return null;
    await showGifs(trx, gifs, { minAuthors, now, marks: { needed, counts: isNamed } });
    await wantBuild(trx);
    return gifs.size;
  });
}

/** Those who mark GIFs of relays as adult, the busiest first. */
export function marksOf({ store }: Pick<Service, 'store'>): Promise<MarkingAuthor[]> {
  return markingAuthors(store.db, 100);
}

/** Follows a relay no more; what it told of stays. @throws OperatorError when it was not added by command */
export async function leaveRelay({ config, store }: Service, address: string): Promise<void> {
  const url = relayAddress(address);
  if (await removeRelay(store.db, url)) return;
  const where = configuredRelays(config).includes(url)
    ? 'it is one of ZOETROPE_RELAYS; take it out of there'
    : 'it was not added';
  throw new OperatorError(`${address}: ${where}`);
}
