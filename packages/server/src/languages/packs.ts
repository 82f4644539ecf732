import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { PACK_VERSION, writePack } from '@zoetrope/search';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { OperatorError } from '../base/errors.ts';
import { makeFolderDurably, syncFolder, writeDurably } from '../platform/files/index.ts';
import { modelFile } from '../platform/models/index.ts';
import { readDictionary } from './read-dictionary.ts';

/**
 * Name of the folder with the packs, in the data folder. `NAME.json` describes a pack and names its content file.
 * Replacing `NAME.json` replaces the pack.
 */
const FOLDER = 'languages';
const NAME = /^[a-z0-9-]+$/;
const HASH_LENGTH = 16;

/** The description of a pack. */
const PackInfo = Type.Object({
  /** Name of the pack, such as `deu-eng`. */
  name: Type.String({ pattern: NAME.source }),
  /** Code of the pack's language. */
  language: Type.String(),
  title: Type.String(),
  /** The dictionary's own text about its licence. Null if there is none. */
  licence: Type.Union([Type.String(), Type.Null()]),
  /** Number of words and phrases that have an English meaning. */
  terms: Type.Integer(),
  bytes: Type.Integer(),
  /** SHA-256 of the content file's bytes. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Version of the format. */
  version: Type.Integer(),
});
export type PackInfo = Static<typeof PackInfo>;

/** A pack that searches can use. The pack's bytes are in shared memory. */
export interface LoadedPack extends PackInfo {
  content: Uint8Array;
}

/**
 * Makes a pack from a dictionary and stores the pack in the data folder. A running service uses the pack within a
 * second.
 * @param folder the data folder
 * @throws OperatorError if the file is not a dictionary, or has no usable meanings
 */
export async function addPack(folder: string, file: string): Promise<PackInfo> {
  const { meanings, ...source } = await readDictionary(file);
  const { bytes, terms } = writePack(source.language, meanings, await fs.readFile(modelFile('languages.bin')));
  if (terms === 0) throw new OperatorError(`${file} has no words with an English meaning`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const info: PackInfo = { ...source, terms, bytes: bytes.length, sha256, version: PACK_VERSION };
  const place = path.join(folder, FOLDER);
  await makeFolderDurably(place);
  await writeDurably(path.join(place, contentName(info)), bytes);
  // The folder is synced, so that after a power cut there is no description without its content.
  await syncFolder(place);
  const written = path.join(place, `${info.name}.json.new`);
  await writeDurably(written, JSON.stringify(info));
  await fs.rename(written, path.join(place, `${info.name}.json`));
  await syncFolder(place);
  await removeUnused(place);
  return info;
}

/** Returns the packs in the data folder, sorted by name. @throws OperatorError if a pack is damaged */
export async function listPacks(folder: string): Promise<PackInfo[]> {
  const place = path.join(folder, FOLDER);
  const names = await fs.readdir(place).catch(() => []);
  const infos = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(infos.map((name) => readInfo(path.join(place, name))));
}

async function readInfo(file: string): Promise<PackInfo> {
  const text = await fs.readFile(file, 'utf8');
  try {
    const info: unknown = JSON.parse(text);
    if (Value.Check(PackInfo, info)) return info;
  } catch {} // the file is not JSON
  throw new OperatorError(`${file} is damaged: delete it, then add its dictionary again with zoetrope languages add`);
}

/** Removes a pack. @throws OperatorError that names the existing packs if no pack has this name */
export async function removePack(folder: string, name: string): Promise<void> {
  const place = path.join(folder, FOLDER);
  const packs = await listPacks(folder);
  if (!packs.some((pack) => pack.name === name)) {
    const others = packs.map((pack) => pack.name).join(', ');
    throw new OperatorError(
      `There is no dictionary ${name}; ${others === '' ? 'none was added' : `there are ${others}`}`,
    );
  }
  await fs.rm(path.join(place, `${name}.json`));
  // The folder is synced for the same reason as in `addPack`.
  await syncFolder(place);
  await removeUnused(place);
}

/** Returns a string that changes whenever a pack is added, replaced or removed. */
export async function packsState(folder: string): Promise<string> {
  const place = path.join(folder, FOLDER);
  const names = (await fs.readdir(place).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  const states = names.map(async (name) => {
    const found = await fs.stat(path.join(place, name)).catch(() => undefined);
    return `${name} ${found?.mtimeMs} ${found?.ino}`;
  });
  return (await Promise.all(states)).join('\n');
}

/**
 * Loads the packs into shared memory.
 * @throws OperatorError if a pack is damaged, or was made by another version of the program
 */
export async function loadPacks(folder: string): Promise<LoadedPack[]> {
  const infos = await listPacks(folder);
  return Promise.all(infos.map((info) => loadPack(path.join(folder, FOLDER), info)));
}

async function loadPack(place: string, info: PackInfo): Promise<LoadedPack> {
  const again = 'add it again with zoetrope languages add';
  if (info.version !== PACK_VERSION)
    throw new OperatorError(`The dictionary ${info.name} was made by another version of Zoetrope: ${again}`);
  const bytes = await fs.readFile(path.join(place, contentName(info))).catch(() => undefined);
  if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== info.sha256)
    throw new OperatorError(`The dictionary ${info.name} is damaged: ${again}`);
  const content = new Uint8Array(new SharedArrayBuffer(bytes.length));
  content.set(bytes);
  return { ...info, content };
}

function contentName({ name, sha256 }: PackInfo): string {
  return `${name}-${sha256.slice(0, HASH_LENGTH)}.bin`;
}

/** Removes the content files of packs that have been replaced or removed. */
async function removeUnused(place: string): Promise<void> {
  const infos = (await fs.readdir(place)).filter((name) => name.endsWith('.json'));
  const used = new Set<string>();
  for (const name of infos) used.add(contentName(await readInfo(path.join(place, name))));
  for (const name of await fs.readdir(place)) {
    if (name.endsWith('.bin') && !used.has(name)) await fs.rm(path.join(place, name), { force: true });
  }
}
