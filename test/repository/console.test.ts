import fs from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../packages/dashboard/src/words/language.ts';
import { ENGLISH } from '../../packages/dashboard/src/words/operators.ts';
import { createProgram } from '../../packages/server/src/cli/cli.ts';
import { commandTree } from '../../packages/server/src/cli/command-tree.ts';
import { LANGUAGES as PAGE_LANGUAGES } from '../../packages/server/src/http/page/words/words.ts';

/** The rows of the table: the commands, the page of the console, and the reason for the shell. */
const ROWS = fs
  .readFileSync('docs/operate/console.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(1, -1).split(/(?<!\\)\|/));

/** The paths of all commands that do something, such as `gif hide`. */
function commands(): string[] {
  return commandTree(createProgram(() => {})).flatMap(({ path, commands: below }) =>
    below.length === 0 ? [path] : [],
  );
}

test('the page about the console lists each command once, and no others', () => {
  const listed = ROWS.flatMap(([cell]) => Array.from(cell!.matchAll(/`([^`]+)`/g), ([, command]) => command!));
  expect(listed.toSorted()).toEqual(commands().toSorted());
});

test('each command has a page in the console, or a reason to stay in the shell', () => {
  expect(ROWS.filter((cells) => cells.length !== 3)).toEqual([]);
  expect(ROWS.filter(([, page, reason]) => page!.trim() === '' && reason!.trim() === '')).toEqual([]);
});

test('the pages that the table names are in the navigation of the console', () => {
  const source = fs.readFileSync('packages/dashboard/src/console/operator-pages.ts', 'utf8');
  const texts: Readonly<Record<string, unknown>> = ENGLISH;
  const names = new Set(Array.from(source.matchAll(/link\('[^']+', say\('(\w+)'\)/g), ([, key]) => texts[key!]));
  const named = ROWS.flatMap(([, page]) => Array.from(page!.matchAll(/\*\*(\w+)\*\*/g), ([, name]) => name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});

test('the dashboard has the languages of the other pages, which share the choice of a reader', () => {
  expect(LANGUAGES).toEqual(PAGE_LANGUAGES);
});
