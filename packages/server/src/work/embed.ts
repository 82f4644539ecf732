import { createHash } from 'node:crypto';
import { quantise } from '@zoetrope/search';
import type { VectorSource } from '../builds/index.ts';
import { documentText, type Embedder, openMeaningTable, readMeaningTable } from '../embed/index.ts';
import type { SpaceFiller } from '../ingest/index.ts';
import type { GifRecord } from '../records/index.ts';
import { fill, isFilled, knownVectors, NOTHING } from './fill.ts';
import type { Workshop } from './workshop.ts';

/** Number of GIFs per step. A crash loses at most one step, which takes some seconds. */
const STEP = 512;
/**
 * Minimum share of known words. Texts below this share consist almost only of emoticons, foreign words and drawn-out
 * words. Of the texts between this share and a half, half are English titles with names.
 */
const LEAST_KNOWN = 1 / 3;

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

/**
 * Returns the vectors of the meaning leg, for a build. An embedder with a table understands only English. For example,
 * it finds emoticons and German words similar to any rare word. Therefore GIFs with too few words from the table have
 * no vector.
 */
export function meaningVectors({
  id: model,
  dimensions,
  table: english,
}: Pick<Embedder, 'id' | 'dimensions' | 'table'>): VectorSource {
  const table = english && openMeaningTable(readMeaningTable(english.name));
  const isUnderstood = (gif: GifRecord) => table === undefined || table.knownShare(documentText(gif)) >= LEAST_KNOWN;
  return {
    model,
    dimensions,
    vectorsOf: async (db, gifs) => {
      const known = await knownVectors(db, model, gifs, meaningSource);
      return known.map((bytes, i) =>
        bytes?.length === dimensions && isUnderstood(gifs[i]!) ? new Int8Array(bytes) : undefined,
      );
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
