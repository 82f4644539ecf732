import fs from 'node:fs';
import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { OperatorError } from '../../base/errors.ts';
import type { Engine } from './engine.ts';
import type { ModelSettings } from './protocol.ts';

/**
 * Maximum number of tokens per text. Longer texts add no information about a GIF. Models of this kind accept 512
 * tokens.
 */
const MAX_TOKENS = 256;

/** Loads a checked model folder. Throws OperatorError if the files of the folder do not match each other. */
export async function loadOnnx(folder: string, settings: ModelSettings): Promise<Engine> {
  const { dimensions, prefixes } = settings;
  const tokenizer = new Tokenizer(JSON.parse(fs.readFileSync(path.join(folder, 'tokenizer.json'), 'utf8')), {});
  // For models of this size, several threads were slower than one thread. More threads would also take cores from
  // serving.
  const session = await InferenceSession.create(path.join(folder, 'model.onnx'), { intraOpNumThreads: 1 });
  const output = session.outputNames[0]!;

  return {
    dimensions,
    async embed(kind, texts) {
      const prefix = kind === 'query' ? prefixes.query : prefixes.passage;
      const present = texts.map((text) => text.trim()).filter((text) => text !== '');
      if (present.length === 0) return texts.map(() => null);
      const ids = present.map((text) => cut(tokenizer.encode(prefix + text).ids));
      const results = await session.run(feed(ids, session.inputNames));
      const vectors = pool(results[output]!, ids, settings);
      return texts.map((text) => (text.trim() === '' ? null : vectors.shift()!));
    },
  };
}

/**
 * Cuts a text to the maximum number of tokens. The last token is kept, because it marks the end of the text, and models
 * expect this mark.
 */
function cut(ids: readonly number[]): readonly number[] {
  return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1)!];
}

/** Pads all texts to the length of the longest text. The mask marks the tokens that are not padding. */
function feed(ids: readonly (readonly number[])[], names: readonly string[]): Record<string, Tensor> {
  const length = Math.max(...ids.map((own) => own.length));
  const tensor = (fill: (own: readonly number[], values: BigInt64Array) => void): Tensor => {
    const values = new BigInt64Array(ids.length * length);
    for (const [i, own] of ids.entries()) fill(own, values.subarray(i * length, (i + 1) * length));
    return new Tensor('int64', values, [ids.length, length]);
  };
  const known: Record<string, Tensor> = {
    input_ids: tensor((own, values) => values.set(own.map(BigInt))),
    attention_mask: tensor((own, values) => values.fill(1n, 0, own.length)),
    token_type_ids: tensor(() => {}),
  };
  return Object.fromEntries(names.map((name) => [name, known[name] ?? refuse(`needs the unknown input ${name}`)]));
}

/**
 * Computes a text's vector from the vectors of its tokens. The result is the vector of the first token, or the mean of
 * all tokens except padding. The code computes the sum instead of the mean, because both have the same direction.
 */
function pool({ dims, data }: Tensor, ids: readonly (readonly number[])[], settings: ModelSettings): Float64Array[] {
  const [texts, length = 0, width] = dims;
  if (dims.length !== 3 || texts !== ids.length || width !== settings.dimensions || !(data instanceof Float32Array)) {
    refuse(`returns a tensor of shape ${dims.join(' x ')} instead of texts x tokens x ${settings.dimensions}`);
  }
  return ids.map((own, text) => {
    const sum = new Float64Array(settings.dimensions);
    const tokens = settings.pooling === 'cls' ? 1 : own.length;
    for (let token = text * length; token < text * length + tokens; token++) {
      for (let i = 0; i < sum.length; i++) sum[i]! += (data as Float32Array)[token * sum.length + i]!;
    }
    return sum;
  });
}

function refuse(what: string): never {
  throw new OperatorError(`model.onnx of ZOETROPE_EMBEDDER_MODEL ${what}; embedder.json must describe a text model`);
}
