import type { Database } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import { findVectors, pictureKey } from './vectors.ts';

/**
 * Model name of captions in the table of vectors, where captions are stored in UTF-8. The caption of a picture without
 * text is empty.
 */
export const CAPTIONS_MODEL = 'pp-ocr-v4/1';

const decoder = new TextDecoder();

/**
 * Returns the records with captions: a record without text from a source gets the text that was read from its picture.
 */
export async function withCaptions(db: Database, gifs: readonly GifRecord[]): Promise<GifRecord[]> {
  const silent = gifs.filter(({ text }) => text === '').map(pictureKey);
  if (silent.length === 0) return [...gifs];
  const captions = await findVectors(db, CAPTIONS_MODEL, silent);
  return gifs.map((gif) => {
    const caption = gif.text === '' ? captions.get(pictureKey(gif)) : undefined;
    return caption?.length ? { ...gif, text: decoder.decode(caption) } : gif;
  });
}
