import fs from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { Languages } from '@zoetrope/search';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { modelFile } from '../../platform/models/index.ts';
import { BUNDLED } from './bundled-model.ts';
import type { Engine } from './engine.ts';
import type { TextKind } from './protocol.ts';

/** Tokens without a meaning: unknown text, and the space between words. */
const UNKNOWN = 0;
const SPACE = 30;
/** Number of positions in the model. */
const MAX_TOKENS = 128;

/** The Universal Sentence Encoder, lite. It knows only English, so queries in other languages are translated first. */
export async function loadBundled(): Promise<Engine> {
  const languages = new Languages(fs.readFileSync(modelFile('languages.bin')));
  const tokenizer = new Tokenizer(JSON.parse(fs.readFileSync(modelFile('sentences.json'), 'utf8')), {});
  // More threads would take cores from serving; without the arena, the process uses 60 MB less.
  const options = { intraOpNumThreads: 1, enableCpuMemArena: false };
  const session = await InferenceSession.create(modelFile('sentences.onnx'), options);

  const tokensOf = (text: string): readonly number[] => tokenizer.encode(text).ids.slice(0, MAX_TOKENS);
  const says = (tokens: readonly number[]): boolean => tokens.some((token) => token !== UNKNOWN && token !== SPACE);

  async function embedOne(tokens: readonly number[]): Promise<Float32Array> {
    const { vector } = await session.run({ tokens: new Tensor('int64', BigInt64Array.from(tokens, BigInt)) });
    return vector!.data as Float32Array;
  }

  async function embed(kind: TextKind, texts: readonly string[]): Promise<(Float64Array | null)[]> {
    const vectors: (Float64Array | null)[] = [];
    for (const text of texts) {
      const meant = (kind === 'query' ? languages.inEnglish(text) : [text]).map(tokensOf).filter(says);
      const sum = new Float64Array(BUNDLED.dimensions);
      for (const tokens of meant) add(sum, await embedOne(tokens));
      vectors.push(meant.length === 0 ? null : sum);
    }
    return vectors;
  }
  return { dimensions: BUNDLED.dimensions, embed };
}

/** The sum of unit vectors has the same direction as their mean. */
function add(sum: Float64Array, vector: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
}
