import { createHash } from 'node:crypto';
import { quantise } from '@zoetrope/search';
import { findVectors, type GifRecord } from './catalog/index.ts';
import { documentText, type Embedder } from './embed/index.ts';
import type { VectorSource } from './index/index.ts';
import type { SpaceFiller } from './ingest/index.ts';

/** Makes the vectors of what GIFs mean. */
export function meaningFiller(embedder: Embedder): SpaceFiller {
  return {
    space: 'meaning',
    model: embedder.id,
    sourceOf: meaningSource,
    describe: async (gifs, signal) => {
      const vectors = await embedder.embedDocuments(gifs.map(documentText), signal);
      return vectors.map((vector) => (vector === null ? new Uint8Array() : bytesOf(quantise(vector))));
    },
  };
}

/** Brings them into a build. */
export function meaningVectors({ id: model, dimensions }: Embedder): VectorSource {
  return {
    model,
    dimensions,
    async vectorsOf(db, gifs) {
      const sources = gifs.map(meaningSource);
      const known = await findVectors(
        db,
        model,
        sources.filter((source) => source !== undefined),
      );
      return sources.map((source) => asVector(known.get(source ?? ''), dimensions));
    },
  };
}

/** A GIF means what its words say; undefined when it has none. */
function meaningSource(gif: GifRecord): string | undefined {
  const text = documentText(gif);
  return text === '' ? undefined : createHash('sha256').update(text).digest('base64url');
}

function asVector(bytes: Uint8Array | undefined, dimensions: number): Int8Array | undefined {
  return bytes?.length === dimensions ? new Int8Array(bytes.buffer, bytes.byteOffset, dimensions) : undefined;
}

function bytesOf(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.length);
}
