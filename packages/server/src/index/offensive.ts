import fs from 'node:fs/promises';
import path from 'node:path';
import { analyse, MAX_OFFENSIVE_TERMS, NO_WORDS, type OffensiveWords, offensiveWords } from '@zoetrope/search';
import { OperatorError } from '../base/errors.ts';
import type { IndexConfig } from './config.ts';

/** Name of the file in the data folder. */
export const OFFENSIVE_FILE = 'offensive.txt';
/** Value of the setting that turns the list off. */
const OFF = 'off';
const MAX_BYTES = 1_000_000;
/**
 * Matches a word or phrase. Other characters are refused, because the operator may mean a pattern, and a pattern would
 * match nothing.
 */
const WORDS = /^[\p{L}\p{M}\p{N}\s'’-]+$/u;

/** Returns the path of the operator's list, whether or not the file exists. */
export function offensiveFile({ offensive }: Pick<IndexConfig, 'offensive'>, folder: string): string {
  return offensive === '' ? path.join(folder, OFFENSIVE_FILE) : offensive;
}

/**
 * Returns the offensive words: the built-in list with the operator's changes.
 * @throws OperatorError that names the line and the expected text
 */
export async function readOffensiveWords(
  config: Pick<IndexConfig, 'offensive'>,
  folder: string,
): Promise<OffensiveWords> {
  if (config.offensive === OFF) return NO_WORDS;
  const file = offensiveFile(config, folder);
  const found = await fs.stat(file).catch(() => undefined);
  if (found === undefined && config.offensive === '') return offensiveWords();
  if (!found?.isFile()) throw new OperatorError(`${file} is not a file (ZOETROPE_SEARCH_OFFENSIVE)`);
  if (found.size > MAX_BYTES) throw new OperatorError(`${file} has ${found.size} bytes; the maximum is ${MAX_BYTES}`);
  const { added, removed } = parse(await fs.readFile(file, 'utf8'), file);
  return offensiveWords(added, removed);
}

/** Parses a list. Empty lines and lines that start with # are skipped. */
function parse(text: string, file: string): { added: string[]; removed: string[] } {
  const [added, removed]: [string[], string[]] = [[], []];
  for (const [i, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const isRemoved = trimmed.startsWith('!');
    const words = isRemoved ? trimmed.slice(1).trim() : trimmed;
    const { length } = analyse(words);
    if (length > MAX_OFFENSIVE_TERMS) {
      throw new OperatorError(
        `line ${i + 1} of ${file} has “${words}”, which is too long; the maximum is ${MAX_OFFENSIVE_TERMS} words`,
      );
    }
    if (!WORDS.test(words) || length === 0) {
      throw new OperatorError(
        `line ${i + 1} of ${file} has “${words}”; write one word or phrase of letters and digits, without * or other signs`,
      );
    }
    (isRemoved ? removed : added).push(words);
  }
  return { added, removed };
}
