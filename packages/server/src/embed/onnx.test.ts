import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OperatorError } from '../base/errors.ts';
import type { Embedder } from './embedder.ts';
import { type ModelFolderSettings, openModelFolder } from './model-folder.ts';
import { DIMENSIONS, wordVector, writeModelFolder } from './testing/model-folder.ts';
import { closeTestEmbedders, cosine, createTestEmbedder } from './testing/test-embedder.ts';

const LONG = 120_000;
let models: string;

beforeEach(() => {
  models = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-models-'));
});
afterEach(async () => {
  await closeTestEmbedders();
  fs.rmSync(models, { recursive: true });
});

function embedderOf(changes: Partial<ModelFolderSettings> = {}): Promise<Embedder> {
  writeModelFolder(path.join(models, 'tiny'), changes);
  return createTestEmbedder({ provider: 'onnx', model: 'tiny' }, models);
}

/** Returns the sum of the words' vectors, scaled to unit length. */
function unit(words: string): Float32Array {
  const vectors = words.split(' ').map(wordVector);
  const sum = wordVector('cat').map((_, i) => vectors.reduce((total, vector) => total + vector[i]!, 0));
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

function expectNear(vector: Float32Array | null, expected: Float32Array): void {
  expect(cosine(vector, expected)).toBeCloseTo(1, 5);
}

describe('a model folder', () => {
  test('embeds queries and documents, each with its prefix', async () => {
    const embedder = await embedderOf();
    expect(embedder.id).toMatch(/^onnx:[0-9a-f]{16}\/128$/);
    expect(embedder.dimensions).toBe(DIMENSIONS);
    expectNear(await embedder.embedQuery('Happy cat', LONG), unit('[CLS] query : happy cat [SEP]'));
    const [document] = await embedder.embedDocuments(['Happy cat']);
    expectNear(document!, unit('[CLS] passage : happy cat [SEP]'));
  });

  test('has the same vector for a text alone and in a batch', async () => {
    const embedder = await embedderOf();
    const texts = ['cat', 'sad dog', '', 'dance '.repeat(200), 'happy '.repeat(400)];
    const together = await embedder.embedDocuments(texts);
    expect(together[2]).toBeNull();
    for (const [i, text] of texts.entries()) {
      const [alone] = await embedder.embedDocuments([text]);
      if (alone !== null) expectNear(together[i]!, alone!);
    }
  });

  test('uses the vector of the first token if the pooling is cls', async () => {
    const embedder = await embedderOf({ pooling: 'cls', prefixes: { query: '', passage: '' } });
    expectNear(await embedder.embedQuery('cat', LONG), unit('[CLS] [CLS] cat [SEP]'));
  });

  test('has another id if its settings change, but keeps its id if it is renamed', async () => {
    const { id } = await embedderOf();
    const other = await embedderOf({ pooling: 'cls' });
    expect(other.id).not.toBe(id);
    writeModelFolder(path.join(models, 'elsewhere', 'moved'));
    const moved = await createTestEmbedder({ provider: 'onnx', model: path.join(models, 'elsewhere', 'moved') });
    expect(moved.id).toBe(id);
  });
});

test('the id of a model folder depends on everything that influences the vectors of documents', async () => {
  const folder = path.join(models, 'tiny');
  const ids: string[] = [];
  for (const changes of [{}, { prefixes: { query: 'query: ', passage: 'text: ' } }, { pooling: 'cls' }] as const) {
    writeModelFolder(folder, changes);
    ids.push((await openModelFolder('tiny', models)).id);
  }
  writeModelFolder(folder);
  for (const file of ['model.onnx', 'tokenizer.json']) {
    fs.appendFileSync(path.join(folder, file), '\n');
    const settings = JSON.parse(fs.readFileSync(path.join(folder, 'embedder.json'), 'utf8'));
    const sha256 = createHash('sha256').update(fs.readFileSync(path.join(folder, file)));
    settings.sha256[file] = sha256.digest('hex');
    fs.writeFileSync(path.join(folder, 'embedder.json'), JSON.stringify(settings));
    ids.push((await openModelFolder('tiny', models)).id);
  }
  expect(new Set(ids).size).toBe(5);
});

test.each([
  [{}, undefined],
  [
    { table: 'meaning', dimensions: 384 },
    { name: 'meaning', queries: 'short' },
  ],
] as const)('a model folder with %j names the table that embeds short queries', async (changes, table) => {
  expect((await embedderOf(changes)).table).toEqual(table);
});

describe('a model folder is refused', () => {
  const ZEROS = '0'.repeat(64);
  test.each<[string, Partial<ModelFolderSettings>, RegExp]>([
    [
      'with other bytes',
      { sha256: { 'model.onnx': ZEROS, 'tokenizer.json': ZEROS } },
      /model.onnx has the SHA-256 .* expects 0+/,
    ],
    ['with 100 dimensions', { dimensions: 100 }, /sets 100 dimensions, but only multiples of 128 work/],
    ['with the table of another model', { table: 'meaning' }, /sets 128 dimensions, but its table has 384/],
    ['with an unknown table', { table: 'queries' as 'meaning' }, /embedder.json is invalid at \/table/],
    ['with an unknown pooling', { pooling: 'max' as 'mean' }, /embedder.json is invalid at \/pooling/],
  ])('%s', async (_, changes, message) => {
    await expect(embedderOf(changes)).rejects.toThrow(OperatorError);
    await expect(embedderOf(changes)).rejects.toThrow(message);
  });

  test.each(['model.onnx', 'tokenizer.json', 'embedder.json'])('without its %s', async (file) => {
    writeModelFolder(path.join(models, 'tiny'));
    fs.rmSync(path.join(models, 'tiny', file));
    const created = createTestEmbedder({ provider: 'onnx', model: 'tiny' }, models);
    await expect(created).rejects.toThrow(`${file} cannot be read`);
  });

  test('by its process when the model has vectors of another length', async () => {
    const embedder = await embedderOf({ dimensions: 256 });
    await expect(embedder.embedDocuments(['cat'])).rejects.toThrow(
      /shape 1 x \d+ x 128 instead of texts x tokens x 256/,
    );
    expect(embedder.state().state).toBe('down');
  });
});
