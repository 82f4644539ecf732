import fs from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { modelFile } from '../../platform/models/index.ts';
import { BUNDLED } from './bundled-model.ts';
import type { Engine } from './engine.ts';

/** Ids of tokens without a meaning: the token for unknown text, and the token for the space between words. */
const UNKNOWN = 0;
const SPACE = 30;
/** Maximum number of tokens per text. It is the model's number of positions. */
const MAX_TOKENS = 128;
/**
 * Maximum number of tokens per run. Each token is compared with all other tokens of its run, so longer runs would take
 * more time for each token.
 */
const RUN_TOKENS = 192;

type Tokens = readonly number[];

/**
 * Loads the Universal Sentence Encoder, lite. This encoder understands only English, so callers translate queries in
 * other languages first.
 */
export async function loadBundled(): Promise<Engine> {
  const tokenizer = new Tokenizer(JSON.parse(fs.readFileSync(modelFile('sentences.json'), 'utf8')), {});
  // There is only one thread, because more threads would take cores from serving. Without the arena, the process uses
  // 60 MB less.
  const options = { intraOpNumThreads: 1, enableCpuMemArena: false };
  const session = await InferenceSession.create(modelFile('sentences.onnx'), options);

  const tokensOf = (text: string): Tokens => tokenizer.encode(text).ids.slice(0, MAX_TOKENS);
  const says = (tokens: Tokens): boolean => tokens.some((token) => token !== UNKNOWN && token !== SPACE);

  async function run(texts: readonly Tokens[]): Promise<Float32Array> {
    const length = texts.reduce((sum, tokens) => sum + tokens.length, 0);
    const places = BigInt64Array.from(texts.flatMap((tokens) => tokens.map((_, place) => BigInt(place))));
    const share = new Float32Array(texts.length * length);
    let at = 0;
    for (const [i, tokens] of texts.entries()) {
      share.fill(1 / tokens.length, i * length + at, i * length + at + tokens.length);
      at += tokens.length;
    }
    const { vectors } = await session.run({
      tokens: new Tensor('int64', BigInt64Array.from(texts.flat(), BigInt)),
      places: new Tensor('int64', places),
      share: new Tensor('float32', share, [texts.length, length]),
    });
    return vectors!.data as Float32Array;
  }

  async function embed(_: unknown, texts: readonly string[]): Promise<(Float32Array | null)[]> {
    const all = texts.map(tokensOf);
    const vectors: Float32Array[] = [];
    for (const part of inRuns(all.filter(says))) {
      const rows = await run(part);
      for (let i = 0; i < part.length; i++)
        vectors.push(rows.subarray(i * BUNDLED.dimensions, (i + 1) * BUNDLED.dimensions));
    }
    return all.map((tokens) => (says(tokens) ? vectors.shift()! : null));
  }
  return { dimensions: BUNDLED.dimensions, embed };
}

/** Divides texts into runs of at most RUN_TOKENS tokens. A single text has at most MAX_TOKENS tokens. */
function inRuns(texts: readonly Tokens[]): Tokens[][] {
  const runs: Tokens[][] = [];
  let room = 0;
  for (const tokens of texts) {
    if (tokens.length > room) {
      runs.push([]);
      room = RUN_TOKENS;
    }
    runs.at(-1)!.push(tokens);
    room -= tokens.length;
  }
  return runs;
}
