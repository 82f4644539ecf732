import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '../../base/errors.ts';
import type { EmbedConfig } from '../config.ts';
import { openModelFolder, sha256Of } from '../model-folder.ts';
import { download } from './download.ts';
import { isPinned, readLocal } from './local.ts';
import { PINS, type Pin, type PinnedFile } from './pins.ts';

export interface PullOptions {
  /** ZOETROPE_DATA/models. */
  readonly models: string;
  /** ZOETROPE_MODELS_URL. */
  readonly url: string;
  /**
   * `done` is the number of bytes of a file on disk. `total` is the number of bytes of the whole file, or null if the
   * server does not send it.
   */
  readonly onProgress: (file: PinnedFile['as'], done: number, total: number | null) => void;
  readonly signal: AbortSignal;
  /** A folder or an archive from which the files are copied instead of downloaded, see `readLocal`. */
  readonly from?: string | undefined;
}

export interface ListedModel {
  readonly name: string;
  readonly licence: string;
  /** ISO 639 code of the only language that the model understands; null if it understands many. */
  readonly language: string | null;
  readonly repository: string;
  readonly dimensions: number;
  /** Maximum number of bytes that are downloaded. */
  readonly maxBytes: number;
  /** Whether the model's folder exists and is complete. */
  readonly pulled: boolean;
}

/** Returns the models that `pullModel` can pull. Reads all files of the models that are present. */
export async function listModels(models: string): Promise<ListedModel[]> {
  return Promise.all(
    PINS.map(async ({ name, licence, language, repository, files, settings: { dimensions } }) => {
      const maxBytes = files.reduce((sum, file) => sum + file.maxBytes, 0);
      return { name, licence, language, repository, dimensions, maxBytes, pulled: await isWhole(name, models) };
    }),
  );
}

/**
 * Downloads or copies a model into its folder and checks each file against its pinned checksum. The folder appears when all
 * files are complete. An interrupted download is continued. A complete model is not downloaded again.
 * @returns the folder
 * @throws OperatorError if the name is unknown, if the server is unreachable or refuses the request, if the bytes are
 * wrong, or if `from` does not contain the files
 */
export async function pullModel(name: string, options: PullOptions): Promise<string> {
  return pullPinned(pinOf(name), options);
}

/** Returns the pin of a model that can be pulled. @throws OperatorError if the name is unknown */
export function pinOf(name: string): Pin {
  const pin = PINS.find((known) => known.name === name);
  if (pin !== undefined) return pin;
  throw new OperatorError(`${name} cannot be pulled. Available models: ${PINS.map((known) => known.name).join(', ')}`);
}

/** Returns whether the settings name this pulled model. */
export function isModelInUse(name: string, { provider, model }: Pick<EmbedConfig, 'provider' | 'model'>): boolean {
  return provider === 'onnx' && model === name;
}

/**
 * Removes a pulled model, or the part of it that was downloaded.
 * @param models ZOETROPE_DATA/models
 * @throws OperatorError if the name is unknown, if there is no such model, or if it is in use
 */
export async function removeModel(name: string, models: string, config: EmbedConfig): Promise<void> {
  const folder = path.join(models, pinOf(name).name);
  if (isModelInUse(name, config)) {
    throw new OperatorError(`${name} is in use. Set ZOETROPE_EMBEDDER to something else and restart the service first`);
  }
  const there = [folder, `${folder}.partial`].filter((known) => existsSync(known));
  if (there.length === 0) throw new OperatorError(`${name} has not been pulled`);
  for (const known of there) await fs.rm(known, { recursive: true });
}

/** Downloads a model like `pullModel`, but for any pin. */
export async function pullPinned(pin: Pin, options: PullOptions): Promise<string> {
  const folder = path.join(options.models, pin.name);
  if (await isWhole(pin.name, options.models)) return folder;
  const partial = path.join(options.models, `${pin.name}.partial`);
  await fs.mkdir(partial, { recursive: true });
  for (const file of pin.files) await pullFile(pin, file, partial, options);
  await fs.writeFile(
    path.join(partial, 'embedder.json'),
    `${JSON.stringify(await settingsOf(pin, partial), null, 2)}\n`,
  );
  await fs.rm(folder, { recursive: true, force: true });
  await fs.rename(partial, folder);
  return folder;
}

async function pullFile(pin: Pin, pinned: PinnedFile, folder: string, options: PullOptions): Promise<void> {
  const file = path.join(folder, pinned.as);
  if (isPinned(pinned, await sha256Of(file).catch(() => ''))) return;
  if (options.from !== undefined) return fs.writeFile(file, await readLocal(pinned, options.from));
  const url = `${options.url.replace(/\/+$/, '')}/${pin.repository}/resolve/${pin.revision}/${pinned.path}`;
  const { maxBytes } = pinned;
  const { onProgress, signal } = options;
  await download({ url, file, maxBytes, signal, onProgress: (done, total) => onProgress(pinned.as, done, total) });
  const found = await sha256Of(file);
  if (isPinned(pinned, found)) return;
  await fs.rm(file);
  const message = `${url} has the SHA-256 ${found} instead of ${pinned.sha256} and was deleted`;
  throw new OperatorError(`${message}. Run the command again. If it happens twice, the server has a different file`);
}

async function settingsOf({ repository, revision, settings, files }: Pin, folder: string) {
  const checksums = files.map(async ({ as }) => [as, await sha256Of(path.join(folder, as))]);
  const sha256 = Object.fromEntries(await Promise.all(checksums));
  return { model: `${repository}@${revision}`, ...settings, sha256 };
}

async function isWhole(name: string, models: string): Promise<boolean> {
  try {
    await openModelFolder(name, models);
    return true;
  } catch (error) {
    if (error instanceof OperatorError) return false;
    throw error;
  }
}
