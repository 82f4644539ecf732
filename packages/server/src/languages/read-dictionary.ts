import fs from 'node:fs/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { OperatorError } from '../base/errors.ts';
import { isCedict, isEdict, readCedict, readEdict } from './edict.ts';
import { isFreeDict, readFreeDict } from './freedict.ts';
import type { SourceDictionary } from './meanings.ts';

const gunzip = promisify(zlib.gunzip);

/** Maximum size of a dictionary, in bytes. EDICT has 20 MB and CC-CEDICT has 10 MB. */
const MAX_BYTES = 200_000_000;

/**
 * Reads a dictionary of FreeDict, EDICT or CC-CEDICT. EDICT and CC-CEDICT can be gzipped.
 * @throws OperatorError if the file has another format or is damaged
 */
export async function readDictionary(file: string): Promise<SourceDictionary> {
  if (isFreeDict(file)) return readFreeDict(file);
  const text = decode(await unpacked(file));
  if (isCedict(text)) return readCedict(text);
  if (isEdict(text)) return readEdict(text);
  throw new OperatorError(
    `${file} is not a dictionary that Zoetrope reads: use an .index or .dict.dz file of FreeDict with its name (freedict-deu-eng.index), EDICT, or CC-CEDICT`,
  );
}

async function unpacked(file: string): Promise<Buffer> {
  const bytes = await fs.readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} cannot be read (${error.code})`);
  });
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return gunzip(bytes, { maxOutputLength: MAX_BYTES }).catch((error) => {
    throw new OperatorError(`${file} cannot be unpacked (${error.message})`);
  });
}

/** Decodes a dictionary's bytes. EDICT is published in UTF-8 and in EUC-JP. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('euc-jp').decode(bytes);
  }
}
