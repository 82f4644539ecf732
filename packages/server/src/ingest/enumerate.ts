import path from 'node:path';
import type { FluentOptions } from '@zoetrope/starter';
import { OperatorError } from '../base/errors.ts';
import { recordGifs } from '../catalog/index.ts';
import type { BlobStore } from '../platform/blobs/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { enqueueJobs, type Job, type Refusal, refuseJobs, saveJob } from '../platform/jobs/index.ts';
import { type Candidate, InputRefusal, type LinkedGif } from './candidate.ts';
import { countResults } from './imports.ts';
import { type Staged, storeIncoming } from './incoming.ts';
import type { OnProgress } from './progress.ts';
import { hereKind, keyOf, LATER_GIF, STAGED } from './queues.ts';
import { fileCandidate, readFolder, type Unread, uploadCandidate } from './sources/folder.ts';
import { type ManifestEntry, readManifest } from './sources/manifest.ts';
import { isLater, type Source } from './sources/source.ts';

/**
 * Number of rows per transaction. The number is large enough that commits take little time, and small enough that a
 * crash loses little work.
 */
const BATCH = 1_000;

export interface EnumerateOptions {
  db: Database;
  /** See `IngestOptions`. */
  machine: string;
  incoming: BlobStore | undefined;
  maxBytes: number;
  /** Folder into which the starter packs are rendered or fetched. */
  starterFolder: string;
  /** Folder for drawn starter GIFs that several data folders share. With an empty string, they are not shared. */
  cache: string;
  onProgress: OnProgress;
  signal: AbortSignal;
}

/** The result of reading a source. */
export interface Enumerated {
  /** Number of linked GIFs that were recorded. */
  linked: number;
  /** The reason why the source could not be read to its end. The part before the problem was read. */
  refusal?: InputRefusal;
}

/**
 * Turns one source into work. Files become `gif` jobs, linked GIFs are added directly to the catalogue, and invalid
 * lines are recorded as refused. Each batch is one transaction that also saves the position in the source. After a
 * crash, reading resumes at that position.
 */
export async function enumerateSource(job: Job<Source>, options: EnumerateOptions): Promise<Enumerated> {
  const source = job.payload;
  if (source.type === 'folder') return enumerateFolder(job, source.path, options);
  if (source.type === 'manifest') return enumerateManifest(job, source.path, options);
  if (source.type === 'file') {
    const candidate = source.awaitsReview ? uploadCandidate(source.path) : fileCandidate(source.path);
    const staged = await stage(job, [candidate], options);
    await inTransaction(options.db, (trx) => queueFiles(trx, job, staged, options));
    return { linked: 0 };
  }
  const folder = path.join(options.starterFolder, source.pack);
  const onProgress = (done: number, total: number) => options.onProgress({ phase: 'render', done, total });
  const { signal } = options;
  // The module is loaded on demand, because few processes draw GIFs.
  const { renderStarter } = await import('@zoetrope/starter');
  const manifest =
    source.pack === 'noto'
      ? await renderStarter(folder, { part: source.part, cache: options.cache, onProgress, signal })
      : await fetchEmoji(folder, { onProgress, signal });
  return enumerateManifest(job, manifest, options);
}

async function fetchEmoji(folder: string, options: FluentOptions): Promise<string> {
  const { FluentError, fetchFluent } = await import('@zoetrope/starter');
  try {
    return await fetchFluent(folder, options);
  } catch (error) {
    if (error instanceof FluentError) throw new OperatorError(error.message, { cause: error });
    throw error;
  }
}

/** New operators wait for the starter catalogue, so its previews are made in two steps. */
const putOff = ({ payload }: Job<Source>) => payload.type === 'starter' && payload.pack === 'noto';

const gifJob = (job: Job<Source>, candidate: Candidate, machine: string) => ({
  key: keyOf(candidate.told.toldBy, machine),
  run: job.run,
  payload: {
    ...candidate,
    ...(putOff(job) && { previews: 'first' as const }),
    // This artwork is suitable for everybody, so it needs no rating.
    ...(job.payload.type === 'starter' && { declared: true, isFinal: true }),
  },
});

/** If several machines share the work, stores the files of candidates in a place that all workers can read. */
async function stage(job: Job<Source>, candidates: Candidate[], options: EnumerateOptions): Promise<Staged> {
  const { incoming } = options;
  if (incoming === undefined) return { candidates, refused: [] };
  return storeIncoming(incoming, job.run, candidates, options);
}

/** Queues the files that were stored for workers, and records all other files as refused. */
async function queueFiles(
  trx: Database,
  job: Job<Source>,
  { candidates, refused }: Staged,
  { incoming, machine }: EnumerateOptions,
): Promise<void> {
  const kind = incoming ? STAGED : isLater(job.payload) ? LATER_GIF : hereKind('gif', machine);
  await enqueueJobs(
    trx,
    kind,
    candidates.map((candidate) => gifJob(job, candidate, machine)),
  );
  const refusals = refused.map(({ path: name, refusal: { reason, message } }) => ({
    key: keyOf(name, machine),
    run: job.run,
    reason,
    message,
  }));
  await refuseJobs(trx, kind, refusals);
}

async function enumerateFolder(job: Job<Source>, folder: string, options: EnumerateOptions): Promise<Enumerated> {
  let found = 0;
  let batch: (Candidate | Unread)[] = [];
  const flush = async () => {
    const candidates = batch.filter((entry) => 'told' in entry);
    const unread = batch.filter((entry) => 'refusal' in entry);
    const staged = await stage(job, candidates, options);
    staged.refused.push(...unread);
    await inTransaction(options.db, (trx) => queueFiles(trx, job, staged, options));
    found += candidates.length;
    batch = [];
    options.onProgress({ phase: 'read', done: found, total: null });
    options.signal.throwIfAborted();
  };
  try {
    for await (const entry of readFolder(folder)) {
      batch.push(entry);
      if (batch.length === BATCH) await flush();
    }
  } finally {
    await flush();
  }
  return { linked: 0 };
}

async function enumerateManifest(job: Job<Source>, manifest: string, options: EnumerateOptions): Promise<Enumerated> {
  let linked = 0;
  let refusal: InputRefusal | undefined;
  const afterLine = job.payload.type === 'manifest' ? job.payload.line : 0;
  let batch: ManifestEntry[] = [];
  const flush = async () => {
    const last = batch.at(-1);
    if (!last) return;
    linked += await recordBatch(job, manifest, batch, options);
    batch = [];
    options.onProgress({ phase: 'read', done: last.line, total: null });
    options.signal.throwIfAborted();
  };
  try {
    for await (const entry of readManifest(manifest, afterLine)) {
      batch.push(entry);
      if (batch.length === BATCH) await flush();
    }
  } catch (error) {
    if (!(error instanceof InputRefusal)) throw error;
    refusal = error;
  } finally {
    await flush();
  }
  return { linked, ...(refusal && { refusal }) };
}

async function recordBatch(
  job: Job<Source>,
  manifest: string,
  batch: ManifestEntry[],
  options: EnumerateOptions,
): Promise<number> {
  const linked: LinkedGif[] = [];
  const candidates: Candidate[] = [];
  const refusals: Refusal[] = [];
  for (const entry of batch) {
    if ('linked' in entry) linked.push(entry.linked);
    else if ('candidate' in entry) candidates.push(entry.candidate);
    else {
      const { reason, message } = entry.refusal;
      refusals.push({ key: keyOf(`${manifest}, line ${entry.line}`, options.machine), run: job.run, reason, message });
    }
  }
  const staged = await stage(job, candidates, options);
  await inTransaction(options.db, async (trx) => {
    await recordGifs(trx, linked);
    if (linked.length > 0) await countResults(trx, job.run, 'linked', linked.length);
    await queueFiles(trx, job, staged, options);
    await refuseJobs(trx, hereKind('gif', options.machine), refusals);
    if (job.payload.type === 'manifest') {
      await saveJob(trx, job, { ...job.payload, line: batch.at(-1)?.line });
    }
  });
  return linked.length;
}
