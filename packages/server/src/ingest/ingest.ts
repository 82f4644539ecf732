import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../base/clock.ts';
import { inParallel } from '../base/in-parallel.ts';
import type { Log } from '../base/log.ts';
import { countGifs, findGif, recordGifs } from '../catalog/index.ts';
import { saveRatings } from '../moderation/index.ts';
import type { BlobStore } from '../platform/blobs/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import {
  claimJob,
  closeJob,
  countJobs,
  countKinds,
  dropJobs,
  enqueueJobs,
  hasFreeJobs,
  type Job,
  type Refusal,
  refusalsOf,
  releaseJobs,
} from '../platform/jobs/index.ts';
import { setInReview } from '../records/index.ts';
import { type Candidate, InputRefusal } from './candidate.ts';
import { enumerateSource } from './enumerate.ts';
import { beginImport, countResults, endImports, resultsOf } from './imports.ts';
import { sweepIncoming } from './incoming.ts';
import { finishPreviews, type Pipeline, type Postponed, prepareGif } from './pipeline.ts';
import type { OnProgress, Progress } from './progress.ts';
import { hereKind, kindsOf, LATER } from './queues.ts';
import { isLater, nameOf, type Source } from './sources/source.ts';

export interface IngestOptions extends Pipeline {
  log: Log;
  starterFolder: string;
  /** Folder for drawn starter GIFs that several data folders share. With an empty string, they are not shared. */
  cache: string;
  /** Id of this process among all processes that share the catalogue. */
  worker: string;
  /** Name of this machine if several machines share the catalogue, otherwise empty. */
  machine: string;
  /** The store for files that workers of other machines can process; undefined if machines do not share the work. */
  incoming: BlobStore | undefined;
  /**
   * Maximum number of files that are processed at the same time. Twice the number of media workers keeps all workers
   * busy.
   */
  concurrency: number;
  /** Whether this call leaves sources for which nobody waits to the next call. */
  searchableOnly?: boolean;
  onProgress: OnProgress;
  signal: AbortSignal;
}

export interface IngestSummary {
  /**
   * Number of new GIFs. It counts the files that this call added, and the files of its sources that other workers
   * added.
   */
  added: number;
  /** Number of files that were counted in the same way, but whose GIF was already in the catalogue. */
  known: number;
  /** Number of linked GIFs in the manifests of this call. */
  linked: number;
  refused: Refusal[];
}

/**
 * Queues sources for ingestion. `runIngest` does the work, now or after a restart.
 * @param run name of this request. Its refusals are found by this name
 * @param machine see `IngestOptions`
 * @param command the arguments of `zoetrope add` for the same request. Default: the names of the sources
 */
export async function requestSources(
  db: Database,
  sources: readonly Source[],
  { run, machine, command = sources.map(nameOf) }: { run: string; machine: string; command?: readonly string[] },
): Promise<void> {
  if (sources.length === 0) return;
  await inTransaction(db, async (trx) => {
    await beginImport(trx, { run, command, machine, startedAt: systemClock.now() });
    for (const source of sources) {
      await enqueueJobs(trx, kindOf(source, machine), [{ key: nameOf(source), run, payload: source }]);
    }
  });
}

function kindOf(source: Source, machine: string): string {
  if ('path' in source) return hereKind('source', machine);
  return isLater(source) ? LATER : 'source';
}

/** Returns whether earlier processes left unfinished work that this machine can do. */
export function hasOpenWork(db: Database, machine: string): Promise<boolean> {
  const kinds = Object.values(kindsOf).flatMap((of) => of(machine));
  return hasFreeJobs(db, kinds);
}

/** Returns whether this machine still has GIFs to add. */
export function hasOpenSources(db: Database, machine: string): Promise<boolean> {
  const kinds = [...kindsOf.source(machine), ...kindsOf.gif(machine), ...kindsOf.later(), ...kindsOf.laterGif()];
  return hasFreeJobs(db, kinds);
}

/** Returns whether there are open sources or files for which somebody waits and that this machine can read. */
export function hasOpenFiles(db: Database, machine: string): Promise<boolean> {
  return hasFreeJobs(db, [...kindsOf.source(machine), ...kindsOf.gif(machine)]);
}

/** Removes open jobs from a copy of the catalogue if the copy does not contain their files. */
export async function dropFileJobs(db: Database): Promise<void> {
  const kept = [...kindsOf.source(''), ...kindsOf.later(), ...kindsOf.previews()];
  await dropJobs(
    db,
    [...(await countKinds(db)).keys()].filter((kind) => !kept.includes(kind)),
  );
}

/** Returns whether there are unfinished jobs. */
export async function hasUnfinishedJobs(db: Database): Promise<boolean> {
  return (await countJobs(db, 'ready')) > 0;
}

/** Time between two checks of the jobs that other workers have claimed. */
const LOOK_MS = 250;

/**
 * Does all open work. First reads the sources, then adds their files. Then waits for other workers that have claimed
 * jobs of this call's requests, and does the jobs that these workers give back. Stops between two GIFs when `signal`
 * aborts.
 * @param run the request of this call. If the request has sources and several machines share the work, this call leaves
 * the jobs of other requests to other workers, so that its caller does not wait for those jobs.
 */
export async function runIngest(options: IngestOptions, run?: string): Promise<IngestSummary> {
  const { db, incoming } = options;
  const hasSources = run !== undefined && (await countJobs(db, 'ready', { runs: [run] })) > 0;
  const only = incoming && hasSources ? run : undefined;
  /**
   * Whether this call also adds sources for which nobody waits. A call that adds new sources leaves them to a running
   * service.
   */
  const isPatient = !options.searchableOnly && !hasSources;
  /** Requests of this call. Other workers can add their files. */
  const own = new Set(run === undefined ? [] : [run]);
  const others: Others = { runs: new Set(), added: 0, known: 0, refused: [] };
  for (;;) {
    await ingestAll({ ...options, only }, ['source', 'gif'], { own, others });
    if (isPatient) await ingestAll({ ...options, only }, ['later', 'laterGif'], { own, others });
    if (await isDone({ ...options, only }, own)) break;
    await wait(LOOK_MS, undefined, { signal: options.signal });
  }
  await endImports(db, [...own, ...others.runs], systemClock.now());
  if (incoming) await sweepIncoming(incoming, async (run) => (await countJobs(db, 'ready', { runs: [run] })) > 0);
  const refused = (await Promise.all([...own].map((run) => refusalsOf(db, run)))).flat();
  const { added, known, linked } = await resultsOf(db, [...own]);
  return {
    added: added + others.added,
    known: known + others.known,
    linked,
    refused: [...refused, ...others.refused],
  };
}

/** The results of a call for jobs of other requests. */
interface Others {
  runs: Set<string>;
  added: number;
  known: number;
  refused: Refusal[];
}

/** Reads all sources of a kind, then adds all files of a kind. */
async function ingestAll(
  options: Scope,
  [sources, files]: [keyof typeof kindsOf, keyof typeof kindsOf],
  { own, others }: { own: Set<string>; others: Others },
): Promise<void> {
  await eachClaimed<Source>(options, sources, async (job) => {
    own.add(job.run);
    await readSource(job, options);
  });
  await eachJob<Candidate>(options, files, 'media', async (job) => {
    const outcome = await takeIn(job, options);
    if (own.has(job.run) || outcome === 'lost') return;
    others.runs.add(job.run);
    if (outcome === 'added' || outcome === 'known') others[outcome]++;
    else others.refused.push({ key: job.key, run: job.run, reason: outcome.reason, message: outcome.message });
  });
}

/** The jobs that a call does: all jobs, or only those of one request. */
interface Scope extends IngestOptions {
  only: string | undefined;
}

/**
 * Whether this call's requests are finished. If this call does the jobs of all requests and the catalogue is still
 * empty, all requests must be finished, because otherwise searches would find nothing.
 */
async function isDone({ db, machine, only }: Scope, own: ReadonlySet<string>): Promise<boolean> {
  const kinds = [...kindsOf.source(machine), ...kindsOf.gif(machine)];
  // Nobody knows when a paused request continues, and other work must not wait for it.
  const filter = { kinds, unpaused: true };
  if ((await countJobs(db, 'ready', { ...filter, runs: [...own] })) > 0) return false;
  return only !== undefined || (await countGifs(db)) > 0 || (await countJobs(db, 'ready', filter)) === 0;
}

/**
 * Reads a source. If part of the source cannot be read, the part that was already read is kept, and the source is not
 * retried automatically.
 */
async function readSource(job: Job<Source>, options: IngestOptions): Promise<void> {
  const { refusal } = await enumerateSource(job, options);
  await closeJob(options.db, job, refusal);
}

/** Makes the postponed previews. They were postponed to make their GIFs searchable sooner. */
export async function runPreviews(options: IngestOptions): Promise<void> {
  await eachJob<Partial<Postponed>>({ ...options, only: undefined }, 'previews', 'previews', async (job) => {
    await finishPreviews(options, job.payload);
    await closeJob(options.db, job);
  });
}

/**
 * Runs all open jobs of a kind, several at the same time. Stops between two jobs when `signal` aborts or a job fails.
 */
async function eachJob<Payload>(
  options: Scope,
  kind: keyof typeof kindsOf,
  phase: Progress['phase'],
  act: (job: Job<Payload>) => Promise<void>,
): Promise<void> {
  const kinds = kindsOf[kind](options.machine);
  const { db, only } = options;
  const total = await countJobs(db, 'ready', { kinds, ...(only && { runs: [only] }) });
  let done = 0;
  await eachClaimed<Payload>(options, kind, async (job) => {
    await act(job);
    options.onProgress({ phase, done: ++done, total: Math.max(total, done) });
  });
}

/** Claims the open jobs of a kind and runs `act` on each. After a failure, stops and gives back the unfinished jobs. */
async function eachClaimed<Payload>(
  { db, worker, machine, concurrency, signal, only }: Scope,
  kind: keyof typeof kindsOf,
  act: (job: Job<Payload>) => Promise<void>,
): Promise<void> {
  const kinds = kindsOf[kind](machine);
  let hasFailed = false;
  const claim = async () => {
    for (const kind of kinds) {
      const job = await claimJob<Payload>(db, kind, worker, only);
      if (job !== undefined) return job;
    }
    return undefined;
  };
  const taker = async () => {
    while (!hasFailed && !signal.aborted) {
      const job = await claim();
      if (job === undefined) return;
      await act(job);
    }
  };
  const guarded = () =>
    taker().catch((error) => {
      hasFailed = true;
      throw error;
    });
  try {
    // Sources are read one at a time, because each can contain many files.
    await inParallel(kind === 'source' ? 1 : concurrency, guarded);
  } finally {
    await releaseJobs(db, worker);
  }
  signal.throwIfAborted();
}

/** Thrown to roll back the result of a job that now belongs to another worker. */
class LostClaim extends Error {}

/**
 * Adds a file.
 * @returns `known` if the GIF was already in the catalogue, `lost` if another worker has claimed the job in the
 * meantime, or the refusal of the file
 */
async function takeIn(job: Job<Candidate>, options: IngestOptions): Promise<'added' | 'known' | 'lost' | InputRefusal> {
  const { db, log } = options;
  const { declared, previews, awaitsReview } = job.payload;
  try {
    const record = await prepareGif(options, job.payload);
    return await inTransaction(db, async (trx) => {
      const before = await findGif(trx, record.id);
      const outcome = before === undefined ? 'added' : 'known';
      await recordGifs(trx, [record]);
      // If a linked GIF becomes one of the operator's own files, it would be shown even without a rating, so it is also
      // reviewed.
      if (awaitsReview && before?.url !== null) await setInReview(trx, record.id, true);
      const rating = record.adult ? 'adult' : 'safe';
      if (declared) await saveRatings(trx, [{ id: record.id, rating, saidBy: 'declared' }]);
      if (!(await closeJob(trx, job))) throw new LostClaim();
      if (previews === 'first') {
        const payload: Postponed = { sha256: record.sha256!, format: record.format };
        await enqueueJobs(trx, 'previews', [{ key: job.key, run: job.run, payload }]);
      }
      await countResults(trx, job.run, outcome, 1);
      return outcome;
    });
  } catch (error) {
    if (error instanceof LostClaim) return 'lost';
    if (!(error instanceof InputRefusal)) throw error;
    log.debug({ file: job.payload.path, reason: error.reason }, 'refused');
    await closeJob(db, job, error);
    return error;
  }
}
