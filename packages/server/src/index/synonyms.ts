import fs from 'node:fs/promises';
import path from 'node:path';
import { analyse, type SynonymSet } from '@zoetrope/search';
import { OperatorError } from '../base/errors.ts';
import type { IndexConfig } from './config.ts';

/** Name of the file in the data folder. */
export const SYNONYMS_FILE = 'synonyms.txt';
const MAX_BYTES = 1_000_000;
/** Maximum number of terms in a synonym. Nobody types longer texts as part of a query. */
const MAX_TERMS = 12;
const MAX_MEMBERS = 20;

/** Returns the path of the operator's synonyms, whether or not the file exists. */
export function synonymsFile({ synonyms }: IndexConfig, folder: string): string {
  return synonyms === '' ? path.join(folder, SYNONYMS_FILE) : synonyms;
}

/** Returns a string that changes whenever the file is changed, created or removed. */
export async function synonymsState(config: IndexConfig, folder: string): Promise<string> {
  const found = await fs.stat(synonymsFile(config, folder)).catch(() => undefined);
  return found === undefined ? 'none' : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/**
 * Reads the synonyms. If no setting names a file, the default file can be missing. Then there are no synonyms.
 * @throws OperatorError that names the line and the expected text
 */
export async function readSynonyms(config: IndexConfig, folder: string): Promise<SynonymSet[]> {
  const file = synonymsFile(config, folder);
  const found = await fs.stat(file).catch(() => undefined);
  if (found === undefined && config.synonyms === '') return [];
  if (!found?.isFile()) throw new OperatorError(`${file} is not a file (ZOETROPE_SEARCH_SYNONYMS)`);
  if (found.size > MAX_BYTES) throw new OperatorError(`${file} has ${found.size} bytes; the maximum is ${MAX_BYTES}`);
  return parseSynonyms(await fs.readFile(file, 'utf8'), file);
}

/**
 * Parses sets of synonyms, one per line, such as `gm = good morning`. Empty lines and lines that start with # are
 * skipped.
 */
function parseSynonyms(text: string, file: string): SynonymSet[] {
  return text.split('\n').flatMap((line, i) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const wrong = (why: string) => new OperatorError(`line ${i + 1} of ${file} ${why}`);
    const members = trimmed.split('=').map((member) => member.trim());
    if (members.length < 2) throw wrong('needs at least two words or phrases with = between them: gm = good morning');
    if (members.length > MAX_MEMBERS)
      throw wrong(`has ${members.length} words or phrases; the maximum is ${MAX_MEMBERS}`);
    for (const member of members) {
      const { length } = analyse(member);
      if (length === 0) throw wrong(`has “${member}”, which contains no letter, digit or emoji`);
      if (length > MAX_TERMS) throw wrong(`has “${member}”, which is too long; the maximum is ${MAX_TERMS} words`);
    }
    return [members];
  });
}
