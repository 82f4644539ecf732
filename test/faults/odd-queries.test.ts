import path from 'node:path';
import { SearchResponse, SuggestResponse } from '@zoetrope/contract';
import Value from 'typebox/value';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { writeTitles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder } from '../support/server.ts';

const ENV = { ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off', ZOETROPE_THREADS: '1' };
const ODD = {
  'mixed scripts': 'happy שלום собака 猫 كلب',
  'a word of two scripts': 'hаppy dаnce',
  'half an emoji': 'dance \ud83d',
  'the other half': '\ude00 dance',
  'a flag cut in two': '\ud83c\uddeb',
  'right-to-left with digits': 'שלום 123 כלב 45',
  'direction marks': '\u202eecnad\u202c yppah',
  'zero-width characters': 'ha\u200bp\u200dp\ufeffy\u2060',
  'only zero-width characters': '\u200b\u200d\ufeff',
  '500 times one letter': 'a'.repeat(500),
  '500 times one syllable': '哈'.repeat(500),
  '200 words': 'a b '.repeat(100),
  '100 different words': Array.from({ length: 100 }, (_, n) => `w${n}`).join(' '),
  'marks without a letter': '\u0301\u0308\u0e31',
  'a letter with many marks': `e${'\u0301'.repeat(90)}`,
  'a long run without spaces': '猫が踊る'.repeat(25),
  'joiners without pictures': '\u200d\u200d❤\u200d',
  'control characters': 'happy\u0000\u0007\u001b[31m dance',
  'only punctuation': '""\'\'(())--**',
  'search syntax': '"happy" AND title:dance~2 OR NOT *',
};

const folder = temporaryFolder();
let server: Server;
let log = '';

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeTitles);
  server = await startServer(path.join(folder.path, 'data'), ENV);
  server.process.stderr!.on('data', (chunk) => {
    log += String(chunk);
  });
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

/** Encodes a query like a browser. Half an emoji becomes a replacement character. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

test.each(Object.entries(ODD))('%s is a query like any other', async (_, query) => {
  for (const mode of ['auto', 'text']) {
    const found = await server.get(`/api/v1/search?mode=${mode}&explain=1&q=${encode(query)}`);
    const body: unknown = await found.json();
    expect(found.status, JSON.stringify(body)).toBe(200);
    expect([...Value.Errors(SearchResponse, body)]).toEqual([]);
  }
  const suggested = await server.get(`/api/v1/suggest?q=${encode(query)}`);
  expect(suggested.status).toBe(200);
  expect([...Value.Errors(SuggestResponse, await suggested.json())]).toEqual([]);
});

test('letters around invisible characters still find their GIFs, and nothing was logged as a failure', async () => {
  for (const query of [ODD['zero-width characters'], ODD['right-to-left with digits'], ODD['mixed scripts']]) {
    const { count } = (await (
      await server.get(`/api/v1/search?mode=text&q=${encode(query)}`)
    ).json()) as SearchResponse;
    expect(count, query).toBeGreaterThan(0);
  }
  expect(log).toBe('');
});
