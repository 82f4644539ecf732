import { OperatorError } from '../base/errors.ts';
import { CAPTION_PLACES, type CaptionReader, captionSize, createCaptionReader, ModelError } from '../enrich/index.ts';
import type { SpaceFiller } from '../ingest/index.ts';
import { MediaRefusal } from '../media/index.ts';
import { bumpShown, type GifRecord } from '../records/index.ts';
import { CAPTIONS_MODEL, pictureKey, seenPictures } from '../vectors/index.ts';
import { embed } from './embed.ts';
import { fill, NOTHING } from './fill.ts';
import { isPictureHere, type Pictures, pictureOf } from './pictures.ts';
import type { Workshop } from './workshop.ts';

/** Number of GIFs per step. A crash loses at most one step. */
const STEP = 16;

interface CaptionOptions extends Pictures {
  reader: CaptionReader;
  /** Called for each caption that is not empty. */
  onCaption: () => void;
}

/** Reads the words in pictures. A caption is part of a GIF's text, so GIFs with new captions are embedded again. */
export async function readCaptions(shop: Workshop): Promise<boolean> {
  const { config, log, store } = shop.service;
  if (config.enrich.captions === 'off') return false;
  const reader = createCaptionReader({ log: log.child({ room: 'enrich' }) });
  let found = 0;
  const onCaption = () => {
    found++;
  };
  try {
    await fill(shop, captionFiller({ ...shop, reader, onCaption }));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    log.warn({ err: error }, 'captions cannot be read; everything else continues');
  } finally {
    await reader.close();
  }
  if (found === 0) return false;
  await bumpShown(store.db, ['meaning']);
  await embed(shop);
  return true;
}

/**
 * Creates the filler for captions. Only the pictures of GIFs whose source gave no text are read (see `withCaptions` of
 * the catalogue).
 */
function captionFiller(options: CaptionOptions): SpaceFiller {
  let { seen } = options;
  return {
    space: 'captions',
    model: CAPTIONS_MODEL,
    step: STEP,
    async begin() {
      seen = await seenPictures(options.db);
    },
    sourceOf: (gif) => (mayHaveCaption(gif, seen) ? pictureKey(gif) : undefined),
    async describe(gifs, signal) {
      const read: (Uint8Array | undefined)[] = [];
      for (const gif of gifs) {
        signal.throwIfAborted();
        read.push(await readCaption(gif, options));
      }
      return read;
    },
  };
}

/** Returns whether a GIF's picture could have a caption. The captions of the starter catalogue are already known. */
function mayHaveCaption(gif: GifRecord, seen: ReadonlySet<string>): boolean {
  return gif.text === '' && gif.source !== 'starter' && captionSize(gif) !== null && isPictureHere(gif, seen);
}

async function readCaption(
  gif: GifRecord,
  { reader, media, blobs, onCaption }: CaptionOptions,
): Promise<Uint8Array | undefined> {
  const bytes = await pictureOf(gif, blobs);
  if (bytes === null) return undefined;
  const size = captionSize(gif)!;
  try {
    const caption = await reader.read(await media.frames(bytes, CAPTION_PLACES, size), size);
    if (caption !== '') onCaption();
    return new TextEncoder().encode(caption);
  } catch (error) {
    if (error instanceof MediaRefusal || error instanceof ModelError) return NOTHING;
    throw error;
  }
}
