import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, systemClock } from '../base/clock.ts';
import { inParallel } from '../base/in-parallel.ts';
import { keepDoing, type Stoppable } from '../base/repeat.ts';
import { countDueLinks, type DueLinks, type LinkedGif, pageOfDueLinks } from '../catalog/index.ts';
import type { Media } from '../media/index.ts';
import type { Database } from '../platform/db/index.ts';
import { LockTaken } from '../platform/lock/index.ts';
import { openMedia, type Service, takeWorkLock } from '../service/index.ts';
import { build, needsBuild, type Task } from '../work/index.ts';

const HOUR_MS = 3_600_000;

/** Delay before a missing link is checked again. With this delay, three failed checks span a day. */
const SUSPECT_MS = 12 * HOUR_MS;

/**
 * Hours between two checks of a link by `zoetrope media check`, if the running service does not check links. Another
 * run within this time resumes the same check.
 */
const ONCE_A_DAY = 24;

/** Number of links that are read together. */
const PAGE = 1_000;

/**
 * Pause between requests to one host. A host must not get requests faster than a person could send them by clicking.
 * Several hosts are contacted in parallel.
 */
const HOST_PAUSE_MS = 1_000;
const HOSTS_AT_ONCE = 8;

/** Number of failures in a row after which a host gets no more requests until the next check. */
const PATIENCE = 3;

/** Time between two searches of the running service for links that are due. */
const PASS_MS = HOUR_MS;

export interface LinkCheck {
  db: Database;
  media: Pick<Media, 'checkLink'>;
  clock: Clock;
  /** Hours between two checks of each link. */
  hours: number;
  /** Waits. Resolves after `ms`. Rejects if the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
  onProgress(progress: { phase: 'links'; done: number; total: number }): void;
  signal: AbortSignal;
}

export interface LinkSummary {
  checked: number;
  alive: number;
  gone: number;
  unclear: number;
  /** Number of GIFs that this check hid. */
  hidden: number;
  /** Number of GIFs whose link works again. */
  back: number;
  /** Number of GIFs that are now shown from another URL. */
  moved: number;
  /** Number of GIFs for which the check found new facts about their files. */
  read: number;
  /** Number of links on hosts that do not respond. */
  left: number;
}

/**
 * Checks every link that is due, host by host. Saves each result immediately, so that the check can be interrupted and
 * resumed.
 */
export async function checkLinks(check: LinkCheck): Promise<LinkSummary> {
  const { db, clock, hours } = check;
  const now = clock.now();
  const due: DueLinks = {
    before: now - hours * HOUR_MS,
    failedBefore: now - Math.min(hours * HOUR_MS, SUSPECT_MS),
  };
  const summary = { checked: 0, alive: 0, gone: 0, unclear: 0, hidden: 0, back: 0, moved: 0, read: 0, left: 0 };
  const round: Round = { ...check, summary, silent: new Map(), total: await countDueLinks(db, due) };
  let page = await pageOfDueLinks(db, due, { after: '', limit: PAGE });
  while (page.length > 0) {
    await checkPage(page, round);
    page = await pageOfDueLinks(db, due, { after: page.at(-1)!.gif.id, limit: PAGE });
  }
  return summary;
}

interface Round extends LinkCheck {
  summary: LinkSummary;
  /** Number of failures in a row for each host. */
  silent: Map<string, number>;
  total: number;
}

async function checkPage(page: readonly LinkedGif[], round: Round): Promise<void> {
  const hosts = [...Map.groupBy(page, hostOf)];
  await inParallel(HOSTS_AT_ONCE, async () => {
    for (let host = hosts.shift(); host; host = hosts.shift()) await checkHost(host, round);
  });
}

async function checkHost([host, links]: [string, LinkedGif[]], round: Round): Promise<void> {
  const { summary, silent, signal } = round;
  for (const [i, link] of links.entries()) {
    signal.throwIfAborted();
    if ((silent.get(host) ?? 0) >= PATIENCE) {
      summary.left += links.length - i;
      return;
    }
    if (i > 0) await round.wait(HOST_PAUSE_MS, signal);
    const state = await checkLink(link, round);
    silent.set(host, state === 'unclear' ? (silent.get(host) ?? 0) + 1 : 0);
  }
}

async function checkLink({ gif }: LinkedGif, { media, summary, total, onProgress, signal }: Round) {
  const { id, url, format, sha256: expectedSha256 } = gif;
  const { state, change } = await media.checkLink({ id, url, format, expectedSha256 }, signal);
  summary[state]++;
  if (change !== null) summary[change]++;
  onProgress({ phase: 'links', done: ++summary.checked, total });
  return state;
}

/** Returns the host of the shown URL. */
function hostOf({ addresses }: LinkedGif): string {
  return URL.parse(addresses[0]!)?.host ?? '';
}

/** The result of one check. */
export interface LinkCheckResult extends LinkSummary {
  /** Name of the build that includes the changes, or null if nothing changed. */
  build: string | null;
}

/** Checks every link that is due, and makes a build if anything shown has changed. */
export async function checkLinksOnce(
  service: Service,
  task: Pick<Task, 'signal' | 'onWait'> & Pick<LinkCheck & Task, 'onProgress'>,
): Promise<LinkCheckResult> {
  const { config, store } = service;
  const media = openMedia(service);
  try {
    const hours = config.media.linkCheckHours || ONCE_A_DAY;
    const check = { db: store.db, media, clock: systemClock, hours, wait: waitOrReject };
    const summary = await checkLinks({ ...check, ...task });
    const isDue = await needsBuild(service);
    return { ...summary, build: isDue ? (await build(service, task, false)).build : null };
  } finally {
    await media.close();
  }
}

/**
 * Checks links while the service runs. `showAnew` makes a build in a separate process if a build is due. This is needed
 * to show GIFs again that were hidden when the last build was made.
 */
export function keepCheckingLinks(
  service: Service,
  media: Media,
  showAnew: (signal: AbortSignal) => Promise<unknown>,
): Stoppable {
  const { config, store, log } = service;
  const check = { db: store.db, media, clock: systemClock, hours: config.media.linkCheckHours, wait: waitOrReject };

  async function pass(signal: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const onLost = () => lost.abort(new Error('the connection to PostgreSQL was lost'));
    const lock = await takeWorkLock(store, 'links', { onLost }).catch(nullIfTaken);
    if (lock === null) return; // another machine checks the links
    try {
      const summary = await checkLinks({
        ...check,
        onProgress: () => {},
        signal: AbortSignal.any([signal, lost.signal]),
      });
      log.info(summary, 'checked links');
    } finally {
      await lock.release();
    }
    if (await needsBuild(service)) await showAnew(signal);
  }

  return keepDoing(PASS_MS, pass, (error) => {
    log.warn({ err: error }, 'could not check links; retrying in an hour');
  });
}

function nullIfTaken(error: unknown): null {
  if (error instanceof LockTaken) return null;
  throw error;
}

function waitOrReject(ms: number, signal: AbortSignal): Promise<void> {
  return wait(ms, undefined, { signal });
}
