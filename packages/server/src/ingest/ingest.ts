import type { Log } from '../base/log.ts';
import { recordGifs, saveRatings } from '../catalog/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import {
  closeJob,
  countOpenJobs,
  enqueueJobs,
  type Job,
  openJobs,
  type Refusal,
  refusalsOf,
} from '../platform/jobs/index.ts';
import { type Candidate, InputRefusal } from './candidate.ts';
import { enumerateSource } from './enumerate.ts';
import { finishPreviews, type Pipeline, prepareGif } from './pipeline.ts';
import type { OnProgress, Progress } from './progress.ts';
import type { Source } from './source.ts';

export interface IngestOptions extends Pipeline {
  log: Log;
  starterFolder: string;
  /**
   * Maximum number of files that are processed at the same time. Twice the number of media workers keeps all workers
   * busy.
   */
  concurrency: number;
  onProgress: OnProgress;
  signal: AbortSignal;
}

export interface IngestSummary {
  /** Files added by this call. */
  added: number;
  /** Linked GIFs read from manifests by this call. */
  linked: number;
  refused: Refusal[];
}

/**
 * Queues sources for ingestion. `runIngest` does the work, now or after a restart.
 * @param run name of this request, by which its refusals are found
 */
export async function requestSources(db: Database, sources: readonly Source[], run: string): Promise<void> {
  const jobs = sources.map((source) => ({ key: JSON.stringify(source), run, payload: source }));
  await enqueueJobs(db, 'source', jobs);
}

/** Returns whether an earlier process left unfinished work. */
export async function hasOpenWork(db: Database): Promise<boolean> {
  return (await countOpenJobs(db)) > 0;
}

/** Does all open work. First reads the sources, then adds their files. Stops between two GIFs when `signal` aborts. */
export async function runIngest(options: IngestOptions): Promise<IngestSummary> {
  const runs = new Set<string>();
  let linked = 0;
  for (const job of await openJobs<Source>(options.db, 'source', 1_000)) {
    runs.add(job.run);
    linked += await readSource(job, options);
  }
  const added = await takeInFiles(options, runs);
  const refused = await Promise.all([...runs].map((run) => refusalsOf(options.db, run)));
  return { added, linked, refused: refused.flat() };
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

async function takeInFiles(options: IngestOptions, runs: Set<string>): Promise<number> {
  let added = 0;
  await eachJob(options, 'gif', 'media', async (job) => {
    runs.add(job.run);
    if (await takeIn(job, options)) added++;
  });
  return added;
}

/** Makes the postponed previews. They were postponed to make their GIFs searchable sooner. */
export async function runPreviews(options: IngestOptions): Promise<void> {
  await eachJob(options, 'previews', 'previews', async (job) => {
    await finishPreviews(options, job.payload);
    await closeJob(options.db, job.seq);
  });
}

/** Runs all open jobs of a kind, several at a time. Stops between two jobs when `signal` aborts or a job fails. */
async function eachJob(
  options: IngestOptions,
  kind: string,
  phase: Progress['phase'],
  act: (job: Job<Candidate>) => Promise<void>,
): Promise<void> {
  const total = await countOpenJobs(options.db, kind);
  let done = 0;
  let failed = false;
  const takeNext = jobQueue(options, kind);
  const taker = async () => {
    for (let job = await takeNext(); job && !failed; job = await takeNext()) {
      await act(job);
      options.onProgress({ phase, done: ++done, total });
    }
  };
  const stopOthers = (error: unknown) => {
    failed = true;
    throw error;
  };
  const takers = Array.from({ length: options.concurrency }, () => taker().catch(stopOthers));
  // All workers finish their current GIF before the first failure is thrown. So the caller closes nothing that is still
  // in use.
  const ends = await Promise.allSettled(takers);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  options.signal.throwIfAborted();
}

/** Returns a queue that yields open jobs one by one. The queue reads the jobs from the table in batches. */
function jobQueue({ db, signal }: IngestOptions, kind: string) {
  let lastSeq = 0;
  const refill = async () => {
    const jobs = await openJobs<Candidate>(db, kind, 200, lastSeq);
    lastSeq = jobs.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    return jobs;
  };
  let batch = refill();
  return async function takeNext(): Promise<Job<Candidate> | undefined> {
    while (!signal.aborted) {
      const mine = batch;
      const next = (await mine).shift();
      if (next) return next;
      if (lastSeq === Number.POSITIVE_INFINITY) return undefined;
      // Several workers can find the batch empty. Only the first worker fetches the next batch.
      if (batch === mine) batch = refill();
    }
    return undefined;
  };
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
      if (previews === 'first') await enqueueJobs(trx, 'previews', [job]);
    });
    return true;
  } catch (error) {
    if (!(error instanceof InputRefusal)) throw error;
    log.debug({ file: job.payload.path, reason: error.reason }, 'refused');
    await closeJob(db, job.seq, error);
    return false;
  }
}
