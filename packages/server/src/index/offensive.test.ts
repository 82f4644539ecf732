import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readOffensiveWords } from './offensive.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-offensive-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** Returns which of these words the list from a file contains. */
async function listed(text: string | undefined, words: string[], offensive = ''): Promise<string[]> {
  if (text !== undefined) fs.writeFileSync(path.join(folder, 'offensive.txt'), text);
  const list = await readOffensiveWords({ offensive }, folder);
  return words.filter((word) => list.isIn(word));
}

test('without a file, the built-in list is used', async () => {
  expect(await listed(undefined, ['slut', 'voldemort'])).toEqual(['slut']);
});

test('a file adds words and removes words; comments and empty lines are skipped', async () => {
  const text = '\uFEFF# ours\r\nVoldemort\r\n\n ! slut \n!cunt\nyou know who\n';
  expect(await listed(text, ['slut', 'cunt', 'whore', 'voldemort', 'you know who', 'you'])).toEqual([
    'whore',
    'voldemort',
    'you know who',
  ]);
});

test('the list can be switched off', async () => {
  expect(await listed('voldemort', ['slut', 'voldemort'], 'off')).toEqual([]);
});

describe('a mistake is reported with its line and what to do:', () => {
  test.each([
    [
      'a regular expression',
      'fine\nf[u*]dge.*',
      /line 2 of .*offensive\.txt has “f\[u\*\]dge\.\*”; write one word or phrase/,
    ],
    ['a list in one line', 'one, two', /line 1 .* write one word or phrase/],
    ['only a mark', '!', /line 1 .* has “”/],
    ['only punctuation', "'-'", /line 1 .* has “'-'”/],
    ['a sentence', `fine\n${'very '.repeat(12)}rude`, /line 2 .* too long; the maximum is 12 words/],
  ])('%s', async (_, text, message) => {
    await expect(listed(text, [])).rejects.toThrow(message);
  });

  test('a folder, or a file that is not there', async () => {
    for (const offensive of [folder, '/nowhere/words.txt'])
      await expect(listed(undefined, [], offensive)).rejects.toThrow(
        `${offensive} is not a file (ZOETROPE_SEARCH_OFFENSIVE)`,
      );
  });

  test('a file that is too large', async () => {
    await expect(listed('word\n'.repeat(300_000), [])).rejects.toThrow('the maximum is 1000000');
  });
});
