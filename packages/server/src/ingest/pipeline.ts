import { createHash } from 'node:crypto';
import { findGif, type GifRecord } from '../catalog/index.ts';
import { type Media, MediaRefusal } from '../media/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type Candidate, InputRefusal } from './candidate.ts';
import { readWhole } from './open-file.ts';

/** What a file goes through. */
export interface Pipeline {
  db: Database;
  media: Media;
  /** Longest original that is read, in bytes. */
  maxBytes: number;
  /** Why a file is not wanted here, or null. */
  refusal: (bytes: Uint8Array, sha256: string) => Promise<string | null>;
}

/**
 * One GIF's way into the catalogue, up to the record that is to be written: read -> hash -> look into the block list ->
 * skip the media work if these bytes are known -> walk, store the original, make previews and lqip. Every step may be done again after a
 * crash: files are named by content and appear whole.
 * @throws InputRefusal when the file can never become a GIF; anything else is our own trouble and may be tried again
 */
export async function prepareGif(
  { db, media, maxBytes, refusal }: Pipeline,
  { path, within, told, previews }: Candidate,
): Promise<GifRecord> {
  const bytes = await readWhole(path, maxBytes, within);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const blocked = await refusal(bytes, sha256);
  if (blocked !== null) throw new InputRefusal('blocked', blocked);
  const id = `${sha256}.gif`;
  const known = await findGif(db, id);
  if (known && known.url === null && (await isStored(media, known))) return { ...known, ...told };
  const facts = await takeIn(media, bytes, previews);
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
  };
}

/** Makes the previews that were put off. What cannot be made now is made when somebody asks for it. */
export async function finishPreviews({ media, maxBytes }: Pipeline, { path, within }: Candidate): Promise<void> {
  try {
    await takeIn(media, await readWhole(path, maxBytes, within), 'all');
  } catch (error) {
    if (!(error instanceof InputRefusal)) throw error;
  }
}

/** An original that was lost, or half of it, comes back when its file is added again. */
async function isStored(media: Media, { sha256, format, bytes }: GifRecord): Promise<boolean> {
  const original = sha256 === null ? null : await media.original(sha256, format);
  return original !== null && original.bytes === bytes;
}

async function takeIn(media: Media, bytes: Uint8Array, previews: Candidate['previews']) {
  try {
    return await media.ingest(bytes, { previews });
  } catch (error) {
    if (error instanceof MediaRefusal) throw refusalOf(error);
    throw error;
  }
}

/** What an operator may set so that the file is taken. */
const SETTINGS: Partial<Record<MediaRefusal['reason'], string>> = {
  too_large: 'ZOETROPE_MEDIA_MAX_BYTES',
  canvas_too_large: 'ZOETROPE_MEDIA_MAX_CANVAS_PIXELS',
  too_many_pixels: 'ZOETROPE_MEDIA_MAX_TOTAL_PIXELS',
  too_much_memory: 'ZOETROPE_MEDIA_MAX_MEMORY_MIB',
  too_slow: 'ZOETROPE_MEDIA_MAX_CPU_SECONDS',
  timed_out: 'ZOETROPE_MEDIA_TIMEOUT_MS',
};

function refusalOf({ reason, message }: MediaRefusal): InputRefusal {
  const setting = SETTINGS[reason];
  return new InputRefusal(reason, setting === undefined ? message : `${message} (${setting})`);
}
