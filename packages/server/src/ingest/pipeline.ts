import { createHash } from 'node:crypto';
import { findGif } from '../catalog/index.ts';
import { type IngestOptions, type Media, MediaRefusal, originalKey } from '../media/index.ts';
import { type BlobStore, readBlob } from '../platform/blobs/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import { type Candidate, InputRefusal } from './candidate.ts';
import { readIncoming } from './incoming.ts';
import { readWhole } from './sources/open-file.ts';

/** The data needed to process a file. */
export interface Pipeline {
  db: Database;
  media: Media;
  blobs: BlobStore;
  /** Maximum size of an original, in bytes. */
  maxBytes: number;
  /** Returns the reason why a file is refused, or null. */
  refusal: (bytes: Uint8Array, sha256: string) => Promise<string | null>;
}

/**
 * Processes one GIF until its record is ready: read -> hash -> check the block list -> skip media work if these bytes
 * are known -> walk, store the original, make previews and lqip. Every step can be repeated after a crash, because the
 * name of a file depends on its content and a file appears only when it is complete.
 * @throws InputRefusal if the file can never become a GIF. After any other error, which is an error of this service,
 * the call can be retried.
 */
export async function prepareGif(
  { db, media, blobs, maxBytes, refusal }: Pipeline,
  { path, within, incoming, told, previews, isFinal = false }: Candidate,
): Promise<GifRecord> {
  const bytes = incoming ? await readIncoming(blobs, incoming) : await readWhole(path, maxBytes, within);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const blocked = await refusal(bytes, sha256);
  if (blocked !== null) throw new InputRefusal('blocked', blocked);
  const id = `${sha256}.gif`;
  const known = await findGif(db, id);
  if (known && known.url === null && (await isStored(media, known))) return { ...known, ...told };
  const facts = await takeIn(media, bytes, {
    previews: previews === 'first' ? 'still' : 'all',
    sameAs: isFinal && !incoming ? path : undefined,
  });
  return {
    ...told,
    id,
    sha256,
    verified: 'file',
    url: null,
    format: facts.format,
    width: facts.width,
    height: facts.height,
    frames: facts.frames,
    durationMs: facts.durationMs,
    bytes: facts.bytes,
    lqip: facts.lqip,
    transparent: facts.transparent,
    blankStill: facts.blankStill,
  };
}

/** A GIF whose previews are made later. */
export interface Postponed {
  sha256: string;
  format: GifRecord['format'];
}

/**
 * Makes the postponed previews. If this fails, or if an earlier version queued the job, each preview is made when
 * somebody requests it.
 */
export async function finishPreviews(
  { media, blobs }: Pipeline,
  { sha256, format }: Partial<Postponed>,
): Promise<void> {
  if (sha256 === undefined || format === undefined) return;
  const bytes = await readBlob(blobs, originalKey(sha256, format));
  if (bytes === null) return;
  try {
    await takeIn(media, bytes, { previews: 'all', original: 'left' });
  } catch (error) {
    if (!(error instanceof InputRefusal)) throw error;
  }
}

/**
 * Returns whether the original is stored, with the right size. If not, the caller restores the original, because its
 * file is being added again.
 */
async function isStored(media: Media, { sha256, format, bytes }: GifRecord): Promise<boolean> {
  const original = sha256 === null ? null : await media.original(sha256, format);
  return original !== null && original.bytes === bytes;
}

async function takeIn(media: Media, bytes: Uint8Array, options: IngestOptions) {
  try {
    return await media.ingest(bytes, options);
  } catch (error) {
    if (error instanceof MediaRefusal) throw refusalOf(error);
    throw error;
  }
}

/**
 * Returns the refusal for a file. The message names the setting, if there is one, that an operator can change so that
 * the service accepts the file.
 */
function refusalOf({ reason, message }: MediaRefusal): InputRefusal {
  return new InputRefusal(reason, reason === 'too_large' ? `${message} (ZOETROPE_MEDIA_MAX_BYTES)` : message);
}
