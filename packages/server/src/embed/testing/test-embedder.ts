import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { Value } from 'typebox/value';
import { EmbedConfig } from '../config.ts';
import { createEmbedder, type Embedder, type EmbedderOptions } from '../embedder.ts';

const open = new Set<Embedder>();

/** Creates an embedder with its real process. */
export async function createTestEmbedder(
  changes: Partial<EmbedConfig> = {},
  models = nowhere(),
  options: Pick<EmbedderOptions, 'lazy' | 'idleMs' | 'manyTexts'> = {},
): Promise<Embedder> {
  const config = { ...(Value.Default(EmbedConfig, {}) as EmbedConfig), ...changes };
  const embedder = await createEmbedder({ config, models, log: pino({ level: 'silent' }), ...options });
  if (embedder === undefined) throw new Error(`the provider ${config.provider} has no embedder`);
  open.add(embedder);
  return embedder;
}

export async function closeTestEmbedders(): Promise<void> {
  await Promise.all([...open].map((embedder) => embedder.close()));
  open.clear();
}

export function cosine(a: Float32Array | null, b: Float32Array | null): number {
  if (a === null || b === null) throw new Error('there is no vector');
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function nowhere(): string {
  return path.join(os.tmpdir(), 'zoetrope-no-models');
}
