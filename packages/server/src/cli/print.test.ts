import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { forTerminal } from '../base/terminal.ts';
import { listItems, toJson } from './print.ts';

it('texts of strangers cannot control a terminal', () => {
  expect(forTerminal('\u001b[2Jgone \u009b31m\u001b]0;title\u0007 ok\r')).toBe(
    '\ufffd[2Jgone \ufffd31m\ufffd]0;title\ufffd ok\ufffd',
  );
  expect(forTerminal('abc\u202edef\u2066\u2028')).toBe('abc\ufffddef\ufffd\ufffd');
});

it('other text is shown as it is', () => {
  const text = 'two\nlines\tand 猫 👩‍💻 می‌خواهم';
  expect(forTerminal(text)).toBe(text);
});

it('JSON has the exact text, in characters that are harmless', () => {
  const value = { title: 'a\u001b[2J\u009b\u202e\u2028b', n: 1 };
  expect(toJson(value)).toBe(String.raw`{"title":"a\u001b[2J\u009b\u202e\u2028b","n":1}`);
  expect(JSON.parse(toJson(value))).toEqual(value);
});

it('a list has at most 20 items, and then the number of the others', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `file ${n}`);
  expect(listItems([])).toEqual([]);
  expect(listItems(names(2))).toEqual(['  file 0', '  file 1']);
  expect(listItems(names(20))).toHaveLength(20);
  const more = '... and 1 more; --json lists all of them';
  expect(listItems(names(21))).toEqual([...listItems(names(20)), `  ${more}`]);
  expect(listItems(names(21), '\t').at(-1)).toBe(`\t${more}`);
});

it('all commands print through this file', () => {
  const files = fs
    .globSync('**/*.ts', { cwd: import.meta.dirname })
    .filter((file) => !/print\.ts$|\.test\.ts$/.test(file));
  const direct = files.filter((file) =>
    /\bconsole\./.test(fs.readFileSync(path.join(import.meta.dirname, file), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(direct).toEqual([]);
});
