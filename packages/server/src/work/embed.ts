import { createHash } from 'node:crypto';
import { quantise } from '@zoetrope/search';
import type { VectorSource } from '../builds/index.ts';
import { documentText, type Embedder } from '../embed/index.ts';
import type { SpaceFiller } from '../ingest/index.ts';
import type { GifRecord } from '../records/index.ts';
import { fill, isFilled, knownVectors, NOTHING } from './fill.ts';
import type { Workshop } from './workshop.ts';

/** Number of GIFs per step. A crash loses at most one step, which takes some seconds. */
const STEP = 512;

/** Makes the vectors of the meaning leg. Does nothing if semantic search is turned off. */
export async function embed(shop: Workshop): Promise<boolean> {
  return shop.embedder !== undefined && fill(shop, meaningFiller(shop.embedder));
}

/** Returns whether `embed` has nothing to do. */
export async function isEmbedded(shop: Workshop): Promise<boolean> {
  return shop.embedder === undefined || isFilled(shop, meaningFiller(shop.embedder));
}

/** Creates the filler for vectors of meaning. A GIF's vector is made from the GIF's texts. */
function meaningFiller(embedder: Embedder): SpaceFiller {
  return {
    space: 'meaning',
    model: embedder.id,
    step: STEP,
    sourceOf: meaningSource,
    async describe(gifs, signal) {
      const vectors = await embedder.embedDocuments(gifs.map(documentText), signal);
      return vectors.map((vector) => (vector === null ? NOTHING : bytesOf(quantise(vector))));
    },
  };
}

/** Returns the vectors of the meaning leg, for a build. */
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

function bytesOf(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.length);
}
