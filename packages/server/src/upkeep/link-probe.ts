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
} from '../catalog/index.ts';
import { linkPolicy, type Media } from '../media/index.ts';
import { revision } from '../records/index.ts';
import { describeEnd, isWorkFree, openMedia, runCommand, type Service, takeWorkLock } from '../service/index.ts';
import { build, needsBuild, type Task } from '../work/index.ts';

/*
 * The sizes and types in a manifest are unverified. A linked GIF is shown only after its size and type have been
 * verified with the first bytes of its file. Each result is saved immediately, so that the process can be stopped and
 * resumed.
 */

/** Number of links that are read together. */
const PAGE = 1_000;
const HOSTS_AT_ONCE = 8;
/**
 * Maximum number of concurrent requests to one host. With several concurrent requests, even slow servers are read at
 * the full rate.
 */
const LANES = 4;

/** Number of failures in a row after which a host gets no more requests until the next pass. */
const PATIENCE = 5;
/**
 * Time during which a host that limits requests gets no more requests. A host can ask for a certain time, within
 * bounds. If it does not, the pause gets longer each time.
 */
const BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 600_000;

/** Time between builds. New GIFs appear after each build. If a build takes long, builds are less frequent. */
const BUILD_MS = 10_000;
const BUILD_SHARE = 10;

/**
 * Time between two searches of the running service for links that are due: if the catalogue has changed, and if it has
 * not. The second time is longer, because a search has to read every linked GIF if no link is due.
 */
const LOOK_MS = 30_000;
const PASS_MS = 600_000;

export interface ProbeSummary {
  probed: number;
  /** Number of links that returned the first bytes of an image. */
  alive: number;
  /** Number of links whose file is gone or is not an image that can be shown. */
  gone: number;
  /** Number of links without a result yet. */
  unclear: number;
  /** Number of GIFs that were not tried, because their hosts limit requests or do not respond. */
  left: number;
  /** Number of linked GIFs that are still not shown. */
  waiting: number;
  /** Name of the build that includes the result. Null if nothing changed. */
  build: string | null;
}

export type ProbeOptions = Pick<Task, 'signal' | 'onProgress'>;

/** Fetches the first bytes of all linked GIFs that are due. @throws OperatorError if another process fetches them */
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
 * @param since if given, only GIFs that changed after this revision of the catalogue are checked, if their changes are
 * still noted
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
  /** Earliest time of the next request, from `performance.now`. */
  nextAt: number;
  /** Number of failures in a row, and number of times that the host limited requests. */
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

/** Waits until the next request to a host may be sent. Requests to one host are at least an interval apart. */
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

/** Starts `zoetrope media probe` whenever linked GIFs are waiting for a probe. */
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
