import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { nameOf, parseSource } from './source.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function sourceNamed(name: string) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, '');
  return parseSource(file);
}

it.each(['a.jsonl', 'a.ndjson', 'a.json', 'a.jsonl.gz', 'a.NDJSON.GZ'])('%s is a manifest', (name) => {
  expect(sourceNamed(name)).toMatchObject({ type: 'manifest', line: 0 });
});

it('a file of another kind is refused, with the kinds that can be added', () => {
  expect(() => sourceNamed('a.txt')).toThrow('not a folder, a manifest (.jsonl, .ndjson or .json');
});

it.each(['starter', 'starter:fluent'])('the source %s has the name that an operator types', (name) => {
  const source = parseSource(name);
  expect(nameOf(source)).toBe(name);
  expect(nameOf({ ...source, part: 'rest' } as typeof source)).toBe(`${name}, rest`);
});
