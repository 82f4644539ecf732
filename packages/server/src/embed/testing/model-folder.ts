import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ModelFolderSettings } from '../model-folder.ts';

export const DIMENSIONS = 128;
const WORDS = '[PAD] [UNK] [CLS] [SEP] query passage : cat dog happy sad dance'.split(' ');
const VOCABULARY = Object.fromEntries(WORDS.map((word, id) => [word, id]));

/** Element types of ONNX. */
const FLOAT = 1;
const INT64 = 7;

/** Writes a model folder of a few kilobytes that the real loader accepts. */
export function writeModelFolder(folder: string, changes: Partial<ModelFolderSettings> = {}): void {
  const files = { 'model.onnx': model(), 'tokenizer.json': Buffer.from(JSON.stringify(TOKENIZER)) };
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), bytes);
  const settings: ModelFolderSettings = {
    model: 'tiny',
    dimensions: DIMENSIONS,
    pooling: 'mean',
    prefixes: { query: 'query: ', passage: 'passage: ' },
    sha256: { 'model.onnx': sha256(files['model.onnx']), 'tokenizer.json': sha256(files['tokenizer.json']) },
    ...changes,
  };
  fs.writeFileSync(path.join(folder, 'embedder.json'), JSON.stringify(settings));
}

/** Returns the model's table entry for a word. */
export function wordVector(word: string): Float32Array {
  return new Float32Array(DIMENSIONS).map((_, i) => Math.sin(VOCABULARY[word]! * DIMENSIONS + i));
}

const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: null,
  model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', vocab: VOCABULARY },
};

/**
 * Returns the bytes of a model. Each token's vector is its row of the table plus the sum over all unmasked tokens, so
 * that a wrong mask changes every vector. The numbers are the fields of onnx.proto.
 */
function model(): Buffer {
  const table = tensor(
    'table',
    FLOAT,
    [WORDS.length, DIMENSIONS],
    WORDS.flatMap((word) => [...wordVector(word)]),
  );
  const graph = [
    node('Gather', ['table', 'input_ids'], 'tokens'),
    node('Cast', ['attention_mask'], 'mask', attribute('to', FLOAT)),
    node('Unsqueeze', ['mask', 'last_axis'], 'weights'),
    node('Mul', ['tokens', 'weights'], 'own'),
    node('ReduceSum', ['own', 'token_axis'], 'sum'),
    node('Add', ['tokens', 'sum'], 'last_hidden_state'),
    bytes(2, 'tiny'),
    bytes(5, table),
    bytes(5, tensor('last_axis', INT64, [1], [2])),
    bytes(5, tensor('token_axis', INT64, [1], [1])),
    bytes(11, value('input_ids', INT64, 2)),
    bytes(11, value('attention_mask', INT64, 2)),
    bytes(12, value('last_hidden_state', FLOAT, 3)),
  ];
  return Buffer.concat([varint(1, 8), bytes(7, Buffer.concat(graph)), bytes(8, varint(2, 13))]);
}

function node(operator: string, inputs: string[], output: string, attributes: Buffer = Buffer.alloc(0)): Buffer {
  const names = inputs.map((input) => bytes(1, input));
  return bytes(1, Buffer.concat([...names, bytes(2, output), bytes(4, operator), attributes]));
}

function attribute(name: string, integer: number): Buffer {
  return bytes(5, Buffer.concat([bytes(1, name), varint(3, integer), varint(20, 2)]));
}

function tensor(name: string, type: number, shape: number[], numbers: number[]): Buffer {
  const raw = type === FLOAT ? new Float32Array(numbers) : new BigInt64Array(numbers.map(BigInt));
  const dims = shape.map((side) => varint(1, side));
  return Buffer.concat([...dims, varint(2, type), bytes(8, name), bytes(9, Buffer.from(raw.buffer))]);
}

function value(name: string, type: number, axes: number): Buffer {
  const shape = Array.from({ length: axes }, (_, axis) => bytes(1, bytes(2, `axis${axis}`)));
  const tensorType = Buffer.concat([varint(1, type), bytes(2, Buffer.concat(shape))]);
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, tensorType))]);
}

function varint(field: number, value: number): Buffer {
  return Buffer.concat([encode(field * 8), encode(value)]);
}

function bytes(field: number, content: string | Buffer): Buffer {
  const buffer = Buffer.from(content as string);
  return Buffer.concat([encode(field * 8 + 2), encode(buffer.length), buffer]);
}

function encode(value: number): Buffer {
  const parts: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...parts, rest]);
    parts.push((rest & 127) | 128);
  }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
