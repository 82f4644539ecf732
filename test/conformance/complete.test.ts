import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { EXPLAINS } from './explains.ts';
import { SENTENCES } from './sentences.ts';
import { splitSpecification } from './split.ts';
import { PARTS, WAITING } from './waiting.ts';

const FOLDERS = ['test/conformance', 'test/e2e'];

/** The text of each test file except this one. */
const sources = FOLDERS.flatMap((folder) => fs.readdirSync(folder).map((name) => path.join(folder, name)))
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('complete.test.ts'))
  .map((file) => ({ file, text: fs.readFileSync(file, 'utf8') }));

const tested = sources.flatMap(({ text }) => [...text.matchAll(/^\s*sentence\((\d+),/gm)].map(([, n]) => Number(n)));
const waiting = WAITING.map(({ n }) => n);
const explained = EXPLAINS.map(({ n }) => n);

describe('the specification', () => {
  it('has its sentences numbered without a gap', () => {
    expect(SENTENCES.map(({ n }) => n)).toEqual(Array.from(SENTENCES, (_, at) => at + 1));
    expect(SENTENCES.filter(({ section, text }) => section === '' || text === '')).toEqual([]);
  });

  it('has exactly one test, waiting entry or explanation for each sentence', () => {
    const accounted = [...tested, ...waiting, ...explained].sort((a, b) => a - b);
    expect(accounted).toEqual(SENTENCES.map(({ n }) => n));
  });

  it('has waiting entries only for known parts, and for each of them', () => {
    const awaited = WAITING.map(({ waitsFor }) => waitsFor);
    expect(awaited.filter((names) => names.length === 0)).toEqual([]);
    expect(new Set(awaited.flat())).toEqual(new Set(PARTS));
  });

  it('has no skipped tests', () => {
    expect(sources.filter(({ text }) => /\.(?:skip|todo|only|fails)\b/.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it.skipIf(!parts.specification)('consists of exactly these sentences', () => {
    expect(SENTENCES).toEqual(splitSpecification(fs.readFileSync(parts.specification!, 'utf8')));
  });
});
