import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { inParallel } from '../base/in-parallel.ts';
import { keepDoing, type Stoppable } from '../base/repeat.ts';
import {
  countDueProbes,
  countUnshownLinks,
  isChangedProbeDue,
  type LinkedGif,
  pageOfDueProbes,
  revision,
} from '../catalog/index.ts';
import { linkPolicy, type Media } from '../media/index.ts';
import { describeEnd, isWorkFree, openMedia, runCommand, type Service, takeWorkLock } from '../service/index.ts';
import { build, needsBuild, type Task } from '../work/index.ts';

/*
 * The sizes and types in a manifest are claims. A linked GIF is shown when the first bytes of its file have been
 * fetched to verify them. Each result is saved immediately, so that the process can be stopped and resumed.
 */

/** Number of links read together. */
const PAGE = 1_000;
const HOSTS_AT_ONCE = 8;
/** Concurrent requests to one host, so that slow servers are also read at the full rate. */
const LANES = 4;

/** A host that fails this often in a row gets no more requests until the next pass. */
const PATIENCE = 5;
/**
 * How long a host that limits requests gets no more: as long as it asks, within bounds; if it does not say, longer each
 * time.
 */
const BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 600_000;

/** New GIFs appear this soon; if a build takes long, builds are less frequent. */
const BUILD_MS = 10_000;
const BUILD_SHARE = 10;

/**
 * How often the running service looks for links that are due, if the catalogue has changed and if not. If none is due,
 * it reads every linked GIF to find out.
 */
const LOOK_MS = 30_000;
const PASS_MS = 600_000;

export interface ProbeSummary {
  probed: number;
  /** Returned the first bytes of an image. */
  alive: number;
  /** The file is gone, or it is not an image that can be shown. */
  gone: number;
  /** No result yet. */
  unclear: number;
  /** Number of GIFs that were not tried, because their hosts limit requests or do not respond. */
  left: number;
  /** Linked GIFs that are still not shown. */
  waiting: number;
  /** The build that includes the result; null if nothing changed. */
  build: string | null;
}

export type ProbeOptions = Pick<Task, 'signal' | 'onProgress'>;

/** Fetches the first bytes of all linked GIFs that are due. @throws OperatorError if another process is doing it */
export async function probeLinks(service: Service, options: ProbeOptions): Promise<ProbeSummary> {
  const { store, config } = service;
  const lock = await takeWorkLock(store, 'probe', { holder: 'zoetrope media probe' });
  const media = openMedia(service);
  const policy = linkPolicy(config.media);
  const due = { policy, now: systemClock.now() };
  const counts = { probed: 0, alive: 0, gone: 0, unclear: 0, left: 0 };
  const round: Round = {
    ...{ ...options, media, counts, hosts: new Map(), intervalMs: 1_000 / config.media.linkedProbeRate },
    total: await countDueProbes(store.db, policy, due.now),
  };
  const builds = buildsNowAndThen(service, options);
  try {
    let page = await pageOfDueProbes(store.db, due, { after: '', limit: PAGE });
    while (page.length > 0) {
      await probePage(page, round, builds.now);
      page = await pageOfDueProbes(store.db, due, { after: page.at(-1)!.gif.id, limit: PAGE });
    }
    const build = await builds.last();
    return { ...counts, waiting: await countUnshownLinks(store.db, policy), build };
  } finally {
    await media.close();
    await lock.release();
  }
}

/**
 * Returns whether linked GIFs are waiting for their first bytes.
 * @param since checks only those that changed after this revision of the catalogue, if their changes are still noted
 */
export async function areProbesDue({ store, config }: Service, since?: number): Promise<boolean> {
  const due = { policy: linkPolicy(config.media), now: systemClock.now() };
  if (since !== undefined) return isChangedProbeDue(store.db, due, since);
  return (await pageOfDueProbes(store.db, due, { after: '', limit: 1 })).length > 0;
}

interface Round extends ProbeOptions {
  media: Pick<Media, 'probeLink'>;
  counts: Omit<ProbeSummary, 'waiting' | 'build'>;
  hosts: Map<string, Host>;
  /** Milliseconds between two requests to one host. */
  intervalMs: number;
  total: number;
}

interface Host {
  /** When the next request may be sent, by `performance.now`. */
  nextAt: number;
  /** Failures in a row, and how often it limited requests. */
  silent: number;
  refused: number;
}

async function probePage(page: readonly LinkedGif[], round: Round, showNew: () => Promise<void>): Promise<void> {
  const hosts = [...Map.groupBy(page, hostOf)];
  await inParallel(HOSTS_AT_ONCE, async () => {
    for (let host = hosts.shift(); host; host = hosts.shift()) {
      await probeHost(host, round);
      await showNew();
    }
  });
}

async function probeHost([name, links]: [string, LinkedGif[]], round: Round): Promise<void> {
  const host = round.hosts.get(name) ?? { nextAt: 0, silent: 0, refused: 0 };
  round.hosts.set(name, host);
  await inParallel(LANES, async () => {
    for (let link = links.shift(); link; link = links.shift()) {
      round.signal.throwIfAborted();
      if (host.silent >= PATIENCE || host.refused >= PATIENCE) {
        round.counts.left++;
        continue;
      }
      await turnOf(host, round);
      await probeOne(link, links, host, round);
    }
  });
}

/** Requests to one host are at least an interval apart. */
async function turnOf(host: Host, { intervalMs, signal }: Round): Promise<void> {
  const now = performance.now();
  const at = Math.max(now, host.nextAt);
  host.nextAt = at + intervalMs;
  if (at > now) await wait(at - now, undefined, { signal });
}

async function probeOne(link: LinkedGif, links: LinkedGif[], host: Host, round: Round): Promise<void> {
  const { media, counts, signal, onProgress, total } = round;
  const { id, url, format, sha256: expectedSha256 } = link.gif;
  const { state, failure } = await media.probeLink({ id, url, format, expectedSha256 }, signal);
  if (failure?.reason === 'too_many_requests') {
    const wanted = 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
    const backoff = Math.min(wanted ?? BACKOFF_MS * 2 ** host.refused, LONGEST_BACKOFF_MS);
    host.nextAt = Math.max(host.nextAt, performance.now() + backoff);
    host.refused++;
    links.push(link);
    return;
  }
  host.refused = 0;
  host.silent = state === 'unclear' ? host.silent + 1 : 0;
  counts[state]++;
  onProgress({ phase: 'probe', done: ++counts.probed, total });
}

/** Returns the host of the URL that is tried first. */
function hostOf({ addresses }: LinkedGif): string {
  return URL.parse(addresses[0]!)?.hostname ?? '';
}

/** Makes builds while links are read. If another process is writing, that process's build includes the new GIFs. */
function buildsNowAndThen(service: Service, options: ProbeOptions) {
  let made: string | null = null;
  let nextAt = performance.now() + BUILD_MS;
  let isMaking = false;

  async function make(): Promise<void> {
    const began = performance.now();
    try {
      if (await needsBuild(service)) made = (await build(service, options, false)).build;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
    }
    const now = performance.now();
    nextAt = now + Math.max(BUILD_MS, BUILD_SHARE * (now - began));
  }

  return {
    async now(): Promise<void> {
      if (isMaking || performance.now() < nextAt) return;
      isMaking = true;
      await make().finally(() => {
        isMaking = false;
      });
    },
    async last(): Promise<string | null> {
      await make();
      return made;
    },
  };
}

/** Starts `zoetrope media probe` whenever linked GIFs are waiting. */
export function keepProbingLinks(service: Service): Stoppable {
  const { store, log } = service;

  let triedAt = Number.NEGATIVE_INFINITY;
  let seen = -1;

  async function look(signal: AbortSignal): Promise<void> {
    const now = await revision(store.db);
    const isPassDue = performance.now() - triedAt >= PASS_MS;
    if (now === seen && !isPassDue) return;
    const since = isPassDue ? undefined : seen;
    seen = now;
    if (isPassDue) triedAt = performance.now();
    if (!(await areProbesDue(service, since))) return;
    triedAt = performance.now();
    if (store.databaseUrl !== '' && !(await isWorkFree(store, 'probe'))) return;
    const end = await runCommand(signal, 'media', 'probe', '--quiet');
    if (end.code === 0 || signal.aborted) return;
    log.warn({ err: end.error }, `zoetrope media probe ${describeEnd(end)}; trying again`);
  }

  return keepDoing(LOOK_MS, look, (error) => {
    log.warn({ err: error }, 'could not probe linked GIFs; trying again');
  });
}
