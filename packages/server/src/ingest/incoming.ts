import { createHash } from 'node:crypto';
import { type BlobStore, eachBlob, readBlob } from '../platform/blobs/index.ts';
import { type Candidate, InputRefusal } from './candidate.ts';
import { readWhole } from './sources/open-file.ts';

/*
 * Copies of files in the shared store, so that the workers of all machines can read them. A file is stored before its
 * job is queued. It is removed when its request has no open jobs.
 */

/** The prefix of all keys of incoming files. */
export const INCOMING = 'incoming/';

/** Candidates whose files workers can read, and files that were refused. */
export interface Staged {
  candidates: Candidate[];
  refused: { path: string; refusal: InputRefusal }[];
}

/**
 * Stores the files of candidates, so that the workers of all machines can read them.
 * @param run the request to which the files belong
 * @returns the candidates with their keys, in order, and the files that cannot be read
 */
export async function storeIncoming(
  blobs: BlobStore,
  run: string,
  candidates: readonly Candidate[],
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Staged> {
  const stored: Candidate[] = [];
  const refused: Staged['refused'] = [];
  await eachBlob(candidates.entries(), async ([i, candidate]) => {
    signal.throwIfAborted();
    try {
      const bytes = await readWhole(candidate.path, maxBytes, candidate.within);
      const key = `${INCOMING}${run}/${hashOf(bytes)}`;
      // The file may already be stored, because the folder is read again from its beginning after a crash.
      if ((await blobs.head(key)) === null) await blobs.put(key, bytes);
      stored[i] = { ...candidate, incoming: key };
    } catch (error) {
      if (!(error instanceof InputRefusal)) throw error;
      refused.push({ path: candidate.path, refusal: error });
    }
  });
  return { candidates: stored.filter((candidate) => candidate !== undefined), refused };
}

/** Reads an incoming file. @throws InputRefusal if the file in the store is missing or damaged */
export async function readIncoming(blobs: BlobStore, key: string): Promise<Uint8Array> {
  const bytes = await readBlob(blobs, key);
  if (bytes !== null && key.endsWith(`/${hashOf(bytes)}`)) return bytes;
  throw new InputRefusal(
    'missing_file',
    "the media store's copy of the file is missing or damaged; add the file again",
  );
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Removes the files of requests that are finished. @param isOpen whether a request has open jobs */
export async function sweepIncoming(blobs: BlobStore, isOpen: (run: string) => Promise<boolean>): Promise<void> {
  const open = new Map<string, boolean>();
  for await (const { key } of blobs.list(INCOMING)) {
    const run = key.split('/')[1]!;
    if (!open.has(run)) open.set(run, await isOpen(run));
    if (!open.get(run)) await blobs.delete(key);
  }
}
