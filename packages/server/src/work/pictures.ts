import { type GifRecord, hideBlocked, isBlocked, pictureKey, saveSight } from '../catalog/index.ts';
import { LOOKS_PLACES, type Looks, RATED_PLACES } from '../enrich/index.ts';
import { derivativeFile, type Media, originalKey } from '../media/index.ts';
import { type BlobStore, readBlob } from '../platform/blobs/index.ts';
import type { Database } from '../platform/db/index.ts';

/** What pictures are looked at with. */
export interface Pictures {
  db: Database;
  looks: Looks;
  media: Media;
  blobs: BlobStore;
  /** Ids of the linked GIFs whose preview lies here. */
  seen: ReadonlySet<string>;
  /** Whether a GIF is to be rated, so that one look is enough. */
  isRated: (gif: GifRecord) => Promise<boolean>;
}

/** What the first network and the eye for copies make of a picture. */
interface Seen {
  descriptor: Float32Array;
  suspicion: number;
}

/** Whether there is anything to look at: of a linked GIF only once somebody has asked for it. */
export function isPictureHere({ id, url }: GifRecord, seen: ReadonlySet<string>): boolean {
  return url === null || seen.has(id);
}

/** The original where it lies here, else the preview; null where neither does. */
export function pictureOf(gif: GifRecord, blobs: BlobStore): Promise<Uint8Array | null> {
  if (gif.url === null && gif.sha256 !== null) return readBlob(blobs, originalKey(gif.sha256, gif.format));
  const source = { ...gif, sha256: null, expectedSha256: gif.sha256 };
  const preview = derivativeFile(source, { fit: 'w240', kind: 'animated' });
  return preview === null ? Promise.resolve(null) : readBlob(blobs, preview.key);
}

/**
 * Looks at a GIF and keeps what the rating and the block list want of it; one that looks like a blocked one is taken out.
 * @returns undefined when there is nothing to look at; throws like `Media.frames` and `Looks.look`
 */
export async function see(gif: GifRecord, { db, looks, media, blobs, isRated }: Pictures): Promise<Seen | undefined> {
  const bytes = await pictureOf(gif, blobs);
  if (bytes === null) return undefined;
  const rated = await isRated(gif);
  const { descriptor, suspicion, hashes } = await looks.look(
    await media.frames(bytes, rated ? RATED_PLACES : LOOKS_PLACES),
  );
  await saveSight(db, pictureKey(gif), { suspicion: rated ? suspicion : null, hashes });
  if ((await isBlocked(db, gif.sha256, hashes)) !== null) await hideBlocked(db, [gif.id]);
  return { descriptor, suspicion };
}
