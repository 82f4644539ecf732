import type { Database } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import { findVectors, pictureKey } from './vectors.ts';

/**
 * Model name of captions. Captions are stored in UTF-8 in the table of vectors. A caption is empty if the picture has
 * no text.
 */
export const CAPTIONS_MODEL = 'pp-ocr-v4/1';

const decoder = new TextDecoder();

/** Returns the records. A record without text from a source gets the text that was read from its picture. */
export async function withCaptions(db: Database, gifs: readonly GifRecord[]): Promise<GifRecord[]> {
  const silent = gifs.filter(({ text }) => text === '').map(pictureKey);
  if (silent.length === 0) return [...gifs];
  const captions = await findVectors(db, CAPTIONS_MODEL, silent);
  return gifs.map((gif) => {
    const caption = gif.text === '' ? captions.get(pictureKey(gif)) : undefined;
    return caption?.length ? { ...gif, text: decoder.decode(caption) } : gif;
  });
}
