import { setTimeout as wait } from 'node:timers/promises';
import { inParallel } from '../base/in-parallel.ts';
import type { Log } from '../base/log.ts';
import { recordGifs, saveRatings } from '../catalog/index.ts';
import type { BlobStore } from '../platform/blobs/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import {
  claimJob,
  closeJob,
  countJobs,
  enqueueJobs,
  hasFreeJobs,
  type Job,
  type Refusal,
  refusalsOf,
  releaseJobs,
} from '../platform/jobs/index.ts';
import { type Candidate, InputRefusal } from './candidate.ts';
import { enumerateSource } from './enumerate.ts';
import { sweepIncoming } from './incoming.ts';
import { finishPreviews, type Pipeline, type Postponed, prepareGif } from './pipeline.ts';
import type { OnProgress, Progress } from './progress.ts';
import { hereKind, kindsHere } from './queues.ts';
import type { Source } from './source.ts';

export interface IngestOptions extends Pipeline {
  log: Log;
  starterFolder: string;
  /** Id of this process among all that share the catalogue. */
  worker: string;
  /** Name of this machine if several machines share the catalogue, otherwise empty. */
  machine: string;
  /** The store through which files reach the workers of other machines; undefined if there are none. */
  incoming: BlobStore | undefined;
  /**
   * Maximum number of files that are processed at the same time. Twice the number of media workers keeps all workers
   * busy.
   */
  concurrency: number;
  onProgress: OnProgress;
  signal: AbortSignal;
}

export interface IngestSummary {
  /** Files added by this call, and files of its sources added by other workers. */
  added: number;
  /** Linked GIFs read from manifests by this call. */
  linked: number;
  refused: Refusal[];
}

/**
 * Queues sources for ingestion. `runIngest` does the work, now or after a restart.
 * @param run name of this request, by which its refusals are found
 * @param machine see `IngestOptions`
 */
export async function requestSources(
  db: Database,
  sources: readonly Source[],
  { run, machine }: { run: string; machine: string },
): Promise<void> {
  for (const source of sources) {
    const kind = 'path' in source ? hereKind('source', machine) : 'source';
    await enqueueJobs(db, kind, [{ key: JSON.stringify(source), run, payload: source }]);
  }
}

/** Returns whether this machine can do work that earlier processes left unfinished. */
export function hasOpenWork(db: Database, machine: string): Promise<boolean> {
  const kinds = ['source', 'gif', 'previews'].flatMap((kind) => kindsHere(kind, machine));
  return hasFreeJobs(db, kinds);
}

/** Does all open work. First reads the sources, then adds their files. Stops between two GIFs when `signal` aborts. */
export async function runIngest(options: IngestOptions): Promise<IngestSummary> {
  const { db } = options;
  /** Requests whose sources this call reads. Other workers can add their files. */
  const own = new Set<string>();
  let linked = 0;
  await eachClaimed<Source>(options, 'source', async (job) => {
    own.add(job.run);
    linked += await readSource(job, options);
  });
  const others = new Map<string, number>();
  await takeInFiles(options, own, (run) => others.set(run, (others.get(run) ?? 0) + 1));
  const added =
    (await countJobs(db, 'done', { kinds: kindsHere('gif', options.machine), runs: [...own] })) + sum(others);
  if (options.incoming)
    await sweepIncoming(options.incoming, async (run) => (await countJobs(db, 'ready', { runs: [run] })) > 0);
  const refused = await Promise.all([...own, ...others.keys()].map((run) => refusalsOf(db, run)));
  return { added, linked, refused: refused.flat() };
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

/**
 * Reads a source. If the source turns out to be broken, the part that was already read is kept, and the source is not
 * retried automatically.
 */
async function readSource(job: Job<Source>, options: IngestOptions): Promise<number> {
  try {
    const linked = await enumerateSource(job, options);
    await closeJob(options.db, job.seq);
    return linked;
  } catch (error) {
    if (!(error instanceof InputRefusal)) throw error;
    await closeJob(options.db, job.seq, error);
    return 0;
  }
}

/** Time between two looks at the jobs of other workers. */
const LOOK_MS = 250;

/**
 * Adds the files of all open jobs. Then waits for the workers that have claimed jobs of these requests, and does what they
 * give back.
 * @param onOther called with the request of each file that belongs to none of these
 */
async function takeInFiles(
  options: IngestOptions,
  own: ReadonlySet<string>,
  onOther: (run: string) => void,
): Promise<void> {
  const take = async (job: Job<Candidate>) => {
    if ((await takeIn(job, options)) && !own.has(job.run)) onOther(job.run);
  };
  await eachJob(options, 'gif', 'media', take);
  const left = { kinds: kindsHere('gif', options.machine), runs: [...own] };
  while (own.size > 0 && (await countJobs(options.db, 'ready', left)) > 0) {
    await wait(LOOK_MS, undefined, { signal: options.signal });
    await eachJob(options, 'gif', 'media', take);
  }
}

/** Makes the postponed previews. They were postponed to make their GIFs searchable sooner. */
export async function runPreviews(options: IngestOptions): Promise<void> {
  await eachJob<Partial<Postponed>>(options, 'previews', 'previews', async (job) => {
    await finishPreviews(options, job.payload);
    await closeJob(options.db, job.seq);
  });
}

/** Runs all open jobs of a kind, several at a time. Stops between two jobs when `signal` aborts or a job fails. */
async function eachJob<Payload>(
  options: IngestOptions,
  kind: string,
  phase: Progress['phase'],
  act: (job: Job<Payload>) => Promise<void>,
): Promise<void> {
  const kinds = kindsHere(kind, options.machine);
  const total = await countJobs(options.db, 'ready', { kinds });
  let done = 0;
  await eachClaimed<Payload>(options, kind, async (job) => {
    await act(job);
    options.onProgress({ phase, done: ++done, total: Math.max(total, done) });
  });
}

/** Claims the open jobs of a kind one by one. A failure stops this, and gives back the jobs that are not finished. */
async function eachClaimed<Payload>(
  { db, worker, machine, concurrency, signal }: IngestOptions,
  kind: string,
  act: (job: Job<Payload>) => Promise<void>,
): Promise<void> {
  const kinds = kindsHere(kind, machine);
  let hasFailed = false;
  const claim = async () => {
    for (const kind of kinds) {
      const job = await claimJob<Payload>(db, kind, worker);
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
    // A source is read alone, because its files are many.
    await inParallel(kind === 'source' ? 1 : concurrency, guarded);
  } finally {
    await releaseJobs(db, worker);
  }
  signal.throwIfAborted();
}

async function takeIn(job: Job<Candidate>, options: IngestOptions): Promise<boolean> {
  const { db, log } = options;
  const { declared, previews } = job.payload;
  try {
    const record = await prepareGif(options, job.payload);
    await inTransaction(db, async (trx) => {
      await recordGifs(trx, [record]);
      const rating = record.adult ? 'adult' : 'safe';
      if (declared) await saveRatings(trx, [{ id: record.id, rating, saidBy: 'declared' }]);
      await closeJob(trx, job.seq);
      if (previews === 'first') {
        const payload: Postponed = { sha256: record.sha256!, format: record.format };
        await enqueueJobs(trx, 'previews', [{ key: job.key, run: job.run, payload }]);
      }
    });
    return true;
  } catch (error) {
    if (!(error instanceof InputRefusal)) throw error;
    log.debug({ file: job.payload.path, reason: error.reason }, 'refused');
    await closeJob(db, job.seq, error);
    return false;
  }
}
