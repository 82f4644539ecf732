import { createHash } from 'node:crypto';
import { encodeLooksModel, fitLooks, LOOKS_DIMENSIONS, projectLooks, quantise } from '@zoetrope/search';
import { findVectors, type GifRecord, sampleVectors, seenPictures } from './catalog/index.ts';
import { documentText, type Embedder } from './embed/index.ts';
import { LOOKS_PLACES, type Looks, LooksError } from './enrich/index.ts';
import type { VectorSource } from './index/index.ts';
import type { SpaceFiller } from './ingest/index.ts';
import { derivativeFile, type Media, MediaRefusal, originalKey } from './media/index.ts';
import { type BlobStore, readBlob } from './platform/blobs/index.ts';
import type { Database } from './platform/db/index.ts';

/** Names the network and what is made of its output; vectors of another are made anew. */
export const LOOKS_MODEL = 'mobilenet-v2-block13+colours+gradients/1';

/** A crash undoes a step of this many GIFs: some seconds of embedding, or of looking. */
const EMBED_STEP = 512;
const LOOK_STEP = 64;

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

export interface LooksOptions {
  looks: Looks;
  media: Media;
  blobs: BlobStore;
  /** Ids of the linked GIFs whose preview lies here. */
  seen: ReadonlySet<string>;
}

/**
 * What similar GIFs are found by. Of a linked GIF the preview is looked at once somebody has asked for it; until then
 * there is nothing to look at.
 */
export function looksFiller(options: LooksOptions): SpaceFiller {
  return {
    space: 'looks',
    model: LOOKS_MODEL,
    step: LOOK_STEP,
    sourceOf: (gif) => looksSource(gif, options.seen),
    async describe(gifs, signal) {
      const described: (Uint8Array | undefined)[] = [];
      for (let from = 0; from < gifs.length; from += DECODED_AHEAD) {
        signal.throwIfAborted();
        described.push(...(await Promise.all(gifs.slice(from, from + DECODED_AHEAD).map((gif) => look(gif, options)))));
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
      const known = await knownVectors(db, LOOKS_MODEL, gifs, (gif) => looksSource(gif, seen));
      return known.map((bytes) => (bytes?.length ? quantise(projectLooks(model, descriptorOf(bytes))) : undefined));
    },
  };
}

function looksSource({ id, url }: GifRecord, seen: ReadonlySet<string>): string | undefined {
  if (url === null) return id;
  return seen.has(id) ? `preview of ${id}` : undefined;
}

async function look(gif: GifRecord, { looks, media, blobs }: LooksOptions): Promise<Uint8Array | undefined> {
  const bytes = await pictureOf(gif, blobs);
  if (bytes === null) return undefined;
  try {
    const descriptor = await looks.describe(await media.frames(bytes, LOOKS_PLACES));
    return new Uint8Array(Float16Array.from(descriptor).buffer);
  } catch (error) {
    if (error instanceof MediaRefusal || error instanceof LooksError) return NOTHING;
    throw error;
  }
}

function pictureOf(gif: GifRecord, blobs: BlobStore): Promise<Uint8Array | null> {
  if (gif.url === null && gif.sha256 !== null) return readBlob(blobs, originalKey(gif.sha256, gif.format));
  const source = { ...gif, sha256: null, expectedSha256: gif.sha256 };
  const preview = derivativeFile(source, { fit: 'w240', kind: 'animated' });
  return preview === null ? Promise.resolve(null) : readBlob(blobs, preview.key);
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
