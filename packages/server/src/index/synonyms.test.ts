import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSynonyms, synonymsState } from './synonyms.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-synonyms-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const SETTINGS = { completion: true, correction: true, synonyms: '', offensive: '' };

async function read(text: string | Uint8Array) {
  const file = path.join(folder, 'synonyms.txt');
  fs.writeFileSync(file, text);
  return await readSynonyms({ ...SETTINGS, synonyms: file }, '/nowhere');
}

test('a line is a set; comments and empty lines are skipped', async () => {
  const text = '\uFEFF# greetings\r\ngm = good morning= guten Morgen \r\n\n  # more\n🔥=lit\n';
  expect(await read(text)).toEqual([
    ['gm', 'good morning', 'guten Morgen'],
    ['🔥', 'lit'],
  ]);
});

test('a synonym can have twelve words, and a set twenty synonyms', async () => {
  const sentence = Array(12).fill('very').join(' ');
  expect(await read(`gm = ${sentence}`)).toEqual([['gm', sentence]]);
  const members = Array.from({ length: 20 }, (_, i) => `w${i}`);
  expect(await read(members.join('='))).toEqual([members]);
});

test('the default file is in the data folder, and need not exist', async () => {
  expect(await readSynonyms(SETTINGS, folder)).toEqual([]);
  fs.writeFileSync(path.join(folder, 'synonyms.txt'), 'gm = good morning');
  expect(await readSynonyms(SETTINGS, folder)).toEqual([['gm', 'good morning']]);
});

test('the state changes with the file, even if programs that copy it keep its time', async () => {
  const file = path.join(folder, 'synonyms.txt');
  const write = (to: string, text: string) => {
    fs.writeFileSync(to, text);
    fs.utimesSync(to, 1, 1);
  };
  const states = [await synonymsState(SETTINGS, folder)];
  const note = async () => void states.push(await synonymsState(SETTINGS, folder));
  write(file, 'gm = good morning');
  await note();
  write(file, 'gm = good day');
  await note();
  write(`${file}.new`, 'gm = have fun');
  fs.renameSync(`${file}.new`, file);
  await note();
  expect(new Set(states).size).toBe(4);
  await note();
  expect(states[4]).toBe(states[3]);
});

describe('a mistake is reported with its line and what to do:', () => {
  test.each([
    ['a word alone', 'gm = good morning\ngn', /line 2 of .*synonyms\.txt needs at least two/],
    ['nothing after the sign', 'gm =', /line 1 .* has “”, which contains no letter/],
    ['only punctuation', 'gm = !!', /line 1 .* has “!!”/],
    ['a sentence', `gm = ${'very '.repeat(12)}good`, /too long; the maximum is 12 words/],
    [
      'too many members',
      Array.from({ length: 21 }, (_, i) => `w${i}`).join('='),
      /21 words or phrases; the maximum is 20/,
    ],
    ['a large file', new Uint8Array(1_000_001), /1000001 bytes; the maximum is 1000000/],
  ])('%s', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  test('a folder, or a file that is named but does not exist', async () => {
    for (const synonyms of [folder, path.join(folder, 'missing.txt')])
      await expect(readSynonyms({ ...SETTINGS, synonyms }, '/nowhere')).rejects.toThrow(
        'is not a file (ZOETROPE_SEARCH_SYNONYMS)',
      );
  });
});
