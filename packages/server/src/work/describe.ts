import {
  decodeLooksModel,
  encodeLooksModel,
  fitLooks,
  LOOKS_DIMENSIONS,
  type LooksModel,
  projectLooks,
  quantise,
} from '@zoetrope/search';
import type { VectorSource } from '../builds/index.ts';
import { ModelError } from '../enrich/index.ts';
import type { SpaceFiller } from '../ingest/index.ts';
import { MediaRefusal } from '../media/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import { pictureKey, sampleVectors, seenPictures } from '../vectors/index.ts';
import { fill, isFilled, knownVectors, NOTHING } from './fill.ts';
import { isPictureHere, type Pictures, see } from './pictures.ts';
import type { Workshop } from './workshop.ts';

/** Identifies the network and the processing of its output. After a change, all vectors are made again. */
export const LOOKS_MODEL = 'mobilenet-v2-block13+colours+gradients/1';

/** Number of GIFs per step. A crash loses at most one step, which takes some seconds. */
const STEP = 64;

/** Maximum number of GIFs whose frames are decoded ahead. */
const DECODED_AHEAD = 4;

/** Number of GIFs from which the catalogue's means and deviations are computed. */
const FIT_SAMPLE = 5_000;

/** Describes the appearance of GIFs. With these descriptions, searches find similar GIFs. */
export function describe(shop: Workshop): Promise<boolean> {
  return fill(shop, looksFiller(shop));
}

/** Returns whether `describe` has nothing to do. */
export function isDescribed(shop: Workshop): Promise<boolean> {
  return isFilled(shop, looksFiller(shop));
}

/**
 * Creates the filler for vectors of appearance. A linked GIF is described only after somebody has requested its
 * preview, because there is no picture before that.
 */
function looksFiller(pictures: Pictures): SpaceFiller {
  let { seen } = pictures;
  return {
    space: 'looks',
    model: LOOKS_MODEL,
    step: STEP,
    async begin() {
      seen = await seenPictures(pictures.db);
    },
    sourceOf: (gif) => (isPictureHere(gif, seen) ? pictureKey(gif) : undefined),
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

/**
 * Returns the vectors that describe how GIFs look, standardised over the catalogue, or undefined if there are none.
 * @param figures the figures of a base. The vectors must be comparable with that base's vectors.
 */
export async function looksVectors(db: Database, figures: Uint8Array | undefined): Promise<VectorSource | undefined> {
  const model = figures === undefined ? await fitModel(db) : decodeLooksModel(figures);
  if (model === undefined) return undefined;
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

async function fitModel(db: Database): Promise<LooksModel | undefined> {
  const sample = (await sampleVectors(db, LOOKS_MODEL, FIT_SAMPLE)).filter(({ length }) => length > 0);
  return sample.length === 0 ? undefined : fitLooks(sample.map(descriptorOf));
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

function descriptorOf(bytes: Uint8Array): Float32Array {
  return Float32Array.from(new Float16Array(new Uint8Array(bytes).buffer));
}
