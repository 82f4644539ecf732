import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { loadBundled } from '../../packages/server/src/embed/child/bundled.ts';
import { BUNDLED } from '../../packages/server/src/embed/child/bundled-model.ts';
import { loadOnnx } from '../../packages/server/src/embed/child/onnx.ts';

/** An encoder whose vectors a table imitates. */
export interface Teacher {
  readonly dimensions: number;
  /** The folder of the model; undefined for the bundled model. */
  readonly folder: string | undefined;
}

export const BUNDLED_TEACHER: Teacher = { dimensions: BUNDLED.dimensions, folder: undefined };

/** Numbers per vector of all-MiniLM-L6-v2. */
const DIMENSIONS = 384;
/** The files of all-MiniLM-L6-v2, with 8-bit weights, and their checksums (see README.md). */
const FILES = {
  'model.onnx': '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
  'tokenizer.json': 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
};
/** Texts per run. All texts of a run are padded to the longest one, so texts of similar length run together. */
const BATCH = 64;

interface Work {
  readonly teacher: Teacher;
  readonly texts: readonly string[];
  /** The places of the texts that this thread embeds, shortest first. */
  readonly places: readonly number[];
  /** Receives the vectors. It is in shared memory. */
  readonly vectors: Float32Array;
}

/** Returns all-MiniLM-L6-v2. @throws Error that names a wrong file */
export function openMiniLm(folder: string): Teacher {
  for (const [name, sha256] of Object.entries(FILES)) {
    const found = createHash('sha256')
      .update(fs.readFileSync(path.join(folder, name)))
      .digest('hex');
    if (found !== sha256) throw new Error(`${path.join(folder, name)} has the SHA-256 ${found}, not ${sha256}`);
  }
  return { dimensions: DIMENSIONS, folder };
}

/** Returns the vectors that the model gives the texts, row by row, in shared memory. */
export async function teach(teacher: Teacher, texts: readonly string[], threads: number): Promise<Float32Array> {
  const vectors = new Float32Array(new SharedArrayBuffer(4 * teacher.dimensions * texts.length));
  const order = texts.map((_, place) => place).sort((a, b) => texts[a]!.length - texts[b]!.length);
  const run = (thread: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const places = order.filter((_, i) => Math.floor(i / BATCH) % threads === thread);
      const work: Work = { teacher, texts, places, vectors };
      const worker = new Worker(new URL(import.meta.url), { workerData: work });
      worker.once('error', reject);
      worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the teacher ended with ${code}`))));
    });
  await Promise.all(Array.from({ length: threads }, (_, thread) => run(thread)));
  return vectors;
}

async function embedAll({ teacher, texts, places, vectors }: Work): Promise<void> {
  const { dimensions, folder } = teacher;
  const settings = { dimensions, pooling: 'mean', prefixes: { query: '', passage: '' } } as const;
  const engine = folder === undefined ? await loadBundled() : await loadOnnx(folder, settings);
  for (let start = 0; start < places.length; start += BATCH) {
    const own = places.slice(start, start + BATCH);
    const rows = await engine.embed(
      'document',
      own.map((place) => texts[place]!),
    );
    for (const [i, place] of own.entries()) vectors.set(unit(rows[i]!), place * dimensions);
  }
}

function unit(vector: ArrayLike<number> | null): Float32Array {
  const values = Float32Array.from(vector ?? []);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

if (!isMainThread) await embedAll(workerData as Work);
