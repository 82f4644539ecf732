import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { OperatorError } from '../base/errors.ts';
import { readDictionary } from './read-dictionary.ts';
import { findDictionaries } from './testing/installed.ts';
import { writeDictd } from './testing/write-dictd.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const installed = findDictionaries();

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
}

const CEDICT = `# CC-CEDICT
#! license=https://creativecommons.org/licenses/by-sa/4.0/
愛 爱 [ai4] /to love/affection/CL:個|个[ge4]/
朋友 朋友 [peng2 you5] /friend/`;

describe('a dictionary', () => {
  test('of FreeDict is read from a language into English', async () => {
    const file = writeDictd(folder, 'deu-eng', {
      kaulquappe: ' [zool.] tadpole <n>, pollywog\n         Note: young\n   Synonym: {Larve}\n\n see: {Frosch}',
      laufen: '1. to run\n      "lauf weg"  - run away\n2. to walk',
    });
    expect(await readDictionary(file)).toEqual({
      name: 'deu-eng',
      language: 'de',
      title: 'A test dictionary',
      licence: 'Free for all',
      meanings: new Map([
        ['kaulquappe', ['tadpole', 'pollywog']],
        ['laufen', ['run', 'walk']],
      ]),
    });
  });

  test('of FreeDict is read from English into a language', async () => {
    const file = writeDictd(folder, 'eng-tur', {
      run: '1. (fiil) koşmak, akmak\n2. koşu.',
      flow: '1. akmak',
      'jog trot': '1. koşmak',
    });
    const { language, meanings } = await readDictionary(file.replace('.index', '.dict.dz'));
    expect(language).toBe('tr');
    expect(Object.fromEntries(meanings)).toEqual({
      koşmak: ['run', 'jog trot'],
      akmak: ['flow', 'run'],
      koşu: ['run'],
    });
  });

  test('of FreeDict loses labels, and the articles of English meanings', async () => {
    const file = writeDictd(folder, 'swe-eng', {
      trött: 'to be tired {adj}',
      hund: 'a dog {n} <anat>, hound (old)',
      sol: 'the sun [astron.]',
    });
    const { meanings } = await readDictionary(file);
    expect(Object.fromEntries(meanings)).toEqual({ trött: ['tired'], hund: ['dog', 'hound'], sol: ['sun'] });
  });

  test('of FreeDict can be uncompressed, and have its title in an entry of its own', async () => {
    const file = writeDictd(folder, 'ita-eng', { '00-database-short': 'Italian-English FreeDict', gatto: 'cat' });
    const packed = file.replace('.index', '.dict.dz');
    fs.writeFileSync(file.replace('.index', '.dict'), zlib.gunzipSync(fs.readFileSync(packed)));
    fs.rmSync(packed);
    const { title, meanings } = await readDictionary(file);
    expect({ title, meanings }).toEqual({ title: 'Italian-English FreeDict', meanings: new Map([['gatto', ['cat']]]) });
  });

  test('of Chinese has both kinds of characters', async () => {
    const { language, licence, meanings } = await readDictionary(write('cedict.txt.gz', zlib.gzipSync(CEDICT)));
    expect({ language, licence }).toEqual({
      language: 'zh',
      licence: 'https://creativecommons.org/licenses/by-sa/4.0/',
    });
    expect(Object.fromEntries(meanings)).toEqual({
      愛: ['love', 'affection'],
      爱: ['love', 'affection'],
      朋友: ['friend'],
    });
  });

  test('of Chinese leaves out names and references to other entries', async () => {
    const lines = [
      '李 李 [Li3] /surname Li/plum/',
      '餠 饼 [bing3] /variant of 餅|饼[bing3]/cake/see 月餅[yue4 bing3]/',
    ];
    const { meanings } = await readDictionary(write('names.txt', lines.join('\n')));
    expect(Object.fromEntries(meanings)).toEqual({ 李: ['plum'], 餠: ['cake'], 饼: ['cake'] });
  });

  test('of Japanese has words and readings, common words first', async () => {
    const file = write(
      'edict2',
      '　？？？ /EDICT/Copyright 2021/\n飴;あめ [あめ] /(n) candy/EntL1/\n雨(P) [あめ(P)] /(n) (1) rain/(P)/',
    );
    const { language, licence, meanings } = await readDictionary(file);
    expect({ language, licence }).toEqual({ language: 'ja', licence: 'EDICT Copyright 2021' });
    expect(Object.fromEntries(meanings)).toEqual({ 飴: ['candy'], 雨: ['rain'], あめ: ['rain', 'candy'] });
  });

  const missing = path.join(folder, 'none.txt');
  test.each([
    ['of two other languages', () => writeDictd(folder, 'deu-fra', { laufen: 'courir' }), /one of them must be eng/],
    ['of an unknown language', () => writeDictd(folder, 'tlh-eng', { qet: 'run' }), /one of them must be eng/],
    ['without entries', () => writeDictd(folder, 'nld-eng', {}), /has no entries/],
    ['without its index', () => write('freedict-fra-eng.dict.dz', 'x'), /fra-eng\.index is missing/],
    ['with a damaged index', () => write('freedict-spa-eng.index', 'correr\t~\t*\n'), /spa-eng\.dict\.dz is missing/],
    ['that is something else', () => write('list.txt', 'laufen = run'), /is not a dictionary that Zoetrope reads/],
    ['that is empty', () => write('empty.txt', ''), /is not a dictionary that Zoetrope reads/],
    ['with damaged compression', () => write('cut.gz', zlib.gzipSync(CEDICT).subarray(0, 40)), /cannot be unpacked/],
    ['that does not exist', () => missing, /cannot be read \(ENOENT\)/],
  ])('%s is refused with a reason', async (_, make, reason) => {
    const failure = await readDictionary(make()).catch((error) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect(failure.message).toMatch(reason);
  });
});

describe.skipIf(installed === undefined)('dictionaries as Debian ships them', () => {
  test.each([
    ['dictd/freedict-fra-eng.index', { code: 'fr', least: 6_000, word: 'chien', meaning: 'dog' }],
    ['dictd/freedict-eng-tur.index', { code: 'tr', least: 40_000, word: 'köpek', meaning: 'dog' }],
    ['edict/edict', { code: 'ja', least: 200_000, word: '眠い', meaning: 'sleepy' }],
  ])('%s', async (file, { code, least, word, meaning }) => {
    const { language, licence, meanings } = await readDictionary(path.join(installed!, file));
    expect(language).toBe(code);
    expect(licence).not.toBeNull();
    expect(meanings.size).toBeGreaterThan(least);
    expect(meanings.get(word)).toContain(meaning);
  });
});
