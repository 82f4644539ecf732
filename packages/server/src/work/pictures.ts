import { LOOKS_PLACES, type Looks, RATED_PLACES } from '../enrich/index.ts';
import { derivativeFile, type Media, originalKey } from '../media/index.ts';
import { hideBlocked, isBlocked, savePictureRating } from '../moderation/index.ts';
import { type BlobStore, readBlob } from '../platform/blobs/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import { pictureKey } from '../vectors/index.ts';

/** The data needed to describe pictures. */
export interface Pictures {
  db: Database;
  looks: Looks;
  media: Media;
  blobs: BlobStore;
  /** Ids of the linked GIFs whose preview is stored. */
  seen: ReadonlySet<string>;
  /** Returns whether a GIF needs a rating. If it does, the frames for the rating are decoded in the same run. */
  isRated: (gif: GifRecord) => Promise<boolean>;
}

/** Results for a picture: the result of the first network, and the perceptual hashes. */
interface PictureResults {
  descriptor: Float32Array;
  suspicion: number;
}

/** Returns whether a picture is stored. The picture of a linked GIF is stored only after somebody has requested it. */
export function isPictureHere({ id, url }: GifRecord, seen: ReadonlySet<string>): boolean {
  return url === null || seen.has(id);
}

/** Returns the original if it is stored here, otherwise the preview, or null if neither is stored. */
export function pictureOf(gif: GifRecord, blobs: BlobStore): Promise<Uint8Array | null> {
  if (gif.url === null && gif.sha256 !== null) return readBlob(blobs, originalKey(gif.sha256, gif.format));
  const source = { ...gif, sha256: null, expectedSha256: gif.sha256 };
  const preview = derivativeFile(source, { fit: 'w240', kind: 'animated' });
  return preview === null ? Promise.resolve(null) : readBlob(blobs, preview.key);
}

/**
 * Describes a GIF's picture and saves the results for the rating and the block list. Hides the GIF if it looks like a
 * blocked picture.
 * @returns the results, or undefined if there is no picture. Throws like `Media.frames` and `Looks.look`.
 */
export async function see(
  gif: GifRecord,
  { db, looks, media, blobs, isRated }: Pictures,
): Promise<PictureResults | undefined> {
  const bytes = await pictureOf(gif, blobs);
  if (bytes === null) return undefined;
  const rated = await isRated(gif);
  const { descriptor, suspicion, hashes } = await looks.look(
    await media.frames(bytes, rated ? RATED_PLACES : LOOKS_PLACES),
  );
  await savePictureRating(db, pictureKey(gif), { suspicion: rated ? suspicion : null, hashes });
  if ((await isBlocked(db, gif.sha256, hashes)) !== null) await hideBlocked(db, [gif.id]);
  return { descriptor, suspicion };
}
