import { LOOKS_PLACES, pictureHashes } from '../enrich/index.ts';
import { type IngestOptions, type IngestSummary, runIngest, runPreviews } from '../ingest/index.ts';
import { type Media, MediaRefusal } from '../media/index.ts';
import { hasBlockedPictures, isBlocked } from '../moderation/index.ts';
import { isWorkShared, machineOf } from '../service/index.ts';
import type { Workshop } from './workshop.ts';

/** Ingests every open source. @param run the name of this process's request */
export function ingest(shop: Workshop, run: string): Promise<IngestSummary> {
  return runIngest(optionsOf(shop), run);
}

/** Makes the previews that were postponed during ingest. */
export function makePreviews(shop: Workshop): Promise<void> {
  return runPreviews(optionsOf(shop));
}

function optionsOf(shop: Workshop): IngestOptions {
  const { config, log, store, blobs } = shop.service;
  return {
    db: store.db,
    media: shop.media,
    blobs,
    maxBytes: config.media.maxBytes,
    refusal: (bytes, sha256) => refusalOf(shop, bytes, sha256),
    log: log.child({ room: 'ingest' }),
    starterFolder: store.starter,
    cache: config.service.cache,
    worker: shop.worker,
    machine: machineOf(shop.service),
    incoming: isWorkShared(shop.service) ? blobs : undefined,
    concurrency: 2 * config.media.workers,
    ...shop.task,
  };
}

/** Returns the reason why a valid GIF is refused. Frames are decoded only if the block list contains pictures. */
async function refusalOf({ db, media }: Workshop, bytes: Uint8Array, sha256: string): Promise<string | null> {
  const hashes = (await hasBlockedPictures(db)) ? await hashesOf(media, bytes) : [];
  const blocked = await isBlocked(db, sha256, hashes);
  if (blocked === null) return null;
  return blocked === 'file' ? 'the file is on the block list' : 'the picture looks like one on the block list';
}

async function hashesOf(media: Media, bytes: Uint8Array): Promise<bigint[]> {
  try {
    return pictureHashes(await media.frames(bytes, LOOKS_PLACES));
  } catch (error) {
    if (error instanceof MediaRefusal) return []; // the following ingest reports the reason for the refusal
    throw error;
  }
}
