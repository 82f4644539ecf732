import { createHash } from 'node:crypto';
import { encodeLooksModel, fitLooks, LOOKS_DIMENSIONS, projectLooks, quantise } from '@zoetrope/search';
import {
  CAPTIONS_MODEL,
  findVectors,
  type GifRecord,
  pictureKey,
  sampleVectors,
  seenPictures,
} from '../catalog/index.ts';
import { documentText, type Embedder } from '../embed/index.ts';
import { CAPTION_PLACES, type CaptionReader, captionSize, ModelError } from '../enrich/index.ts';
import type { VectorSource } from '../index/index.ts';
import type { SpaceFiller } from '../ingest/index.ts';
import { MediaRefusal } from '../media/index.ts';
import type { Database } from '../platform/db/index.ts';
import { isPictureHere, type Pictures, pictureOf, see } from './pictures.ts';

/** Names the network and what is made of its output; vectors of another are made anew. */
export const LOOKS_MODEL = 'mobilenet-v2-block13+colours+gradients/1';

/** A crash undoes a step of this many GIFs: some seconds of embedding, or of looking. */
const EMBED_STEP = 512;
const LOOK_STEP = 64;
const CAPTION_STEP = 16;

/** GIFs whose frames are decoded while one is looked at. */
const DECODED_AHEAD = 4;

/** Means and deviations of so many GIFs stand for the catalogue. */
const FIT_SAMPLE = 5_000;

/** What the meaning leg is made of: a GIF means what its words say. */
export function meaningFiller(embedder: Embedder): SpaceFiller {
  return {
    space: 'meaning',
    model: embedder.id,
    step: EMBED_STEP,
    sourceOf: meaningSource,
    async describe(gifs, signal) {
      const vectors = await embedder.embedDocuments(gifs.map(documentText), signal);
      return vectors.map((vector) => (vector === null ? NOTHING : bytesOf(quantise(vector))));
    },
  };
}

export function meaningVectors({ id: model, dimensions }: Pick<Embedder, 'id' | 'dimensions'>): VectorSource {
  return {
    model,
    dimensions,
    vectorsOf: async (db, gifs) => {
      const known = await knownVectors(db, model, gifs, meaningSource);
      return known.map((bytes) => (bytes?.length === dimensions ? new Int8Array(bytes) : undefined));
    },
  };
}

function meaningSource(gif: GifRecord): string | undefined {
  const text = documentText(gif);
  return text === '' ? undefined : createHash('sha256').update(text).digest('base64url');
}

/**
 * What similar GIFs are found by. Of a linked GIF the preview is looked at once somebody has asked for it; until then
 * there is nothing to look at.
 */
export function looksFiller(pictures: Pictures): SpaceFiller {
  return {
    space: 'looks',
    model: LOOKS_MODEL,
    step: LOOK_STEP,
    sourceOf: (gif) => (isPictureHere(gif, pictures.seen) ? pictureKey(gif) : undefined),
    async describe(gifs, signal) {
      const described: (Uint8Array | undefined)[] = [];
      for (let from = 0; from < gifs.length; from += DECODED_AHEAD) {
        signal.throwIfAborted();
        described.push(
          ...(await Promise.all(gifs.slice(from, from + DECODED_AHEAD).map((gif) => look(gif, pictures)))),
        );
      }
      return described;
    },
  };
}

/** The vectors of looks, standardised by what the catalogue's descriptors have in common; undefined while there are none. */
export async function looksVectors(db: Database): Promise<VectorSource | undefined> {
  const sample = (await sampleVectors(db, LOOKS_MODEL, FIT_SAMPLE)).filter(({ length }) => length > 0);
  if (sample.length === 0) return undefined;
  const model = fitLooks(sample.map(descriptorOf));
  const seen = await seenPictures(db);
  return {
    model: LOOKS_MODEL,
    dimensions: LOOKS_DIMENSIONS,
    figures: encodeLooksModel(model),
    vectorsOf: async (db, gifs) => {
      const known = await knownVectors(db, LOOKS_MODEL, gifs, (gif) =>
        isPictureHere(gif, seen) ? pictureKey(gif) : undefined,
      );
      return known.map((bytes) => (bytes?.length ? quantise(projectLooks(model, descriptorOf(bytes))) : undefined));
    },
  };
}

async function look(gif: GifRecord, pictures: Pictures): Promise<Uint8Array | undefined> {
  try {
    const sight = await see(gif, pictures);
    return sight && new Uint8Array(Float16Array.from(sight.descriptor).buffer);
  } catch (error) {
    if (error instanceof MediaRefusal || error instanceof ModelError) return NOTHING;
    throw error;
  }
}

export interface CaptionOptions extends Pictures {
  reader: CaptionReader;
  /** Hears of each that is not empty. */
  onCaption: () => void;
}

/** The words in pictures, where nobody told of any; see `withCaptions` of the catalogue. */
export function captionFiller(options: CaptionOptions): SpaceFiller {
  return {
    space: 'captions',
    model: CAPTIONS_MODEL,
    step: CAPTION_STEP,
    sourceOf: (gif) => (mayHaveCaption(gif, options.seen) ? pictureKey(gif) : undefined),
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

/** What the starter catalogue says is known, and so is what it does not say. */
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

/** Kept instead of a vector where none can be made, so that nobody tries again. */
const NOTHING = new Uint8Array();

function descriptorOf(bytes: Uint8Array): Float32Array {
  return Float32Array.from(new Float16Array(bytes.slice().buffer));
}

async function knownVectors(
  db: Database,
  model: string,
  gifs: readonly GifRecord[],
  sourceOf: SpaceFiller['sourceOf'],
): Promise<(Uint8Array | undefined)[]> {
  const sources = gifs.map(sourceOf);
  const known = await findVectors(
    db,
    model,
    sources.filter((source) => source !== undefined),
  );
  return sources.map((source) => (source === undefined ? undefined : known.get(source)));
}

function bytesOf(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.length);
}
