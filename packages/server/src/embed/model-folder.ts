import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { OperatorError } from '../base/errors.ts';
import type { EngineOptions } from './child/protocol.ts';
import { MEANING_DIMENSIONS, type TableName } from './table.ts';

const FILES = ['model.onnx', 'tokenizer.json'] as const;
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** The content of a model folder's `embedder.json`, which specifies how to use the model. */
const Settings = Type.Object({
  /** Name of the model, only for display. */
  model: Type.String({ maxLength: 200 }),
  dimensions: Type.Integer({ minimum: 1, maximum: 4096 }),
  pooling: Type.Union([Type.Literal('mean'), Type.Literal('cls')]),
  prefixes: Type.Object({ query: Type.String({ maxLength: 1000 }), passage: Type.String({ maxLength: 1000 }) }),
  /** Short queries get their vectors from the table of meanings, which imitates all-MiniLM-L6-v2. */
  table: Type.Optional(Type.Literal('meaning')),
  sha256: Type.Object({ 'model.onnx': Sha256, 'tokenizer.json': Sha256 }),
});
export type ModelFolderSettings = Static<typeof Settings>;

/**
 * Checks a model folder. `name` is a folder in `models`, or a path. The id of the vector space depends on the bytes of
 * the files and on the settings, because both influence the vectors. It does not depend on the name of the folder.
 * @throws OperatorError that names what is missing or wrong
 */
export async function openModelFolder(
  name: string,
  models: string,
): Promise<{ id: string; dimensions: number; table: TableName | undefined; engine: EngineOptions }> {
  const folder = path.resolve(models, name);
  const settings = readSettings(folder);
  if (settings.table !== undefined && settings.dimensions !== MEANING_DIMENSIONS)
    throw new OperatorError(
      `${path.join(folder, 'embedder.json')} sets ${settings.dimensions} dimensions, but its table has ${MEANING_DIMENSIONS}. Remove "table"`,
    );
  for (const file of FILES) await verify(path.join(folder, file), settings.sha256[file]);
  const { dimensions, pooling, prefixes, table, sha256 } = settings;
  const identity = [sha256['model.onnx'], sha256['tokenizer.json'], pooling, prefixes.query, prefixes.passage];
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
  const engine: EngineOptions = { provider: 'onnx', folder, settings: { dimensions, pooling, prefixes } };
  return { id: `onnx:${hash}/${dimensions}`, dimensions, table, engine };
}

function readSettings(folder: string): ModelFolderSettings {
  const file = path.join(folder, 'embedder.json');
  let settings: unknown;
  try {
    settings = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (cause) {
    const advice =
      'ZOETROPE_EMBEDDER_MODEL must be a model folder; see `zoetrope models list` for models that can be pulled';
    throw new OperatorError(`${file} cannot be read: ${(cause as Error).message}. ${advice}`, { cause });
  }
  if (Value.Check(Settings, settings)) return settings;
  const [wrong] = Value.Errors(Settings, settings);
  throw new OperatorError(`${file} is invalid at ${wrong?.instancePath || '/'}: ${wrong?.message}`);
}

async function verify(file: string, sha256: string): Promise<void> {
  const found = await sha256Of(file).catch((cause: Error) => {
    throw new OperatorError(`${file} cannot be read: ${cause.message}. Pull the model again`, { cause });
  });
  if (found === sha256) return;
  throw new OperatorError(
    `${file} has the SHA-256 ${found}, but embedder.json expects ${sha256}. Pull the model again`,
  );
}

/** Hashes of files that were read before, with the file facts that identify their content. */
const known = new Map<string, { content: string; sha256: string }>();

/**
 * Returns the SHA-256 of a file in hexadecimal. A file is read again only after a change, because models have hundreds
 * of megabytes. @param read reads a file and returns its hash
 */
export async function sha256Of(file: string, read = hashOf): Promise<string> {
  const { size, ino, mtimeNs, ctimeNs } = await fs.promises.stat(file, { bigint: true });
  const content = [size, ino, mtimeNs, ctimeNs].join(' ');
  const last = known.get(file);
  if (last?.content === content) return last.sha256;
  const sha256 = await read(file);
  known.set(file, { content, sha256 });
  return sha256;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(fs.createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}
