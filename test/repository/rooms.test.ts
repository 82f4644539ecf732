import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BOUNDARIES } from '../../tools/boundaries.ts';

/** A room that exports more names should be split. */
const MOST_NAMES = 40;
/** A folder with more files is hard to survey. */
const MOST_FILES = 16;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => fs.existsSync(file));

/** Returns the names that an index.ts exports. */
function namesOf(door: string): string[] {
  const source = fs.readFileSync(door, 'utf8');
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','));
  const own = [...source.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm)];
  return [...lists, ...own.map(([, name = '']) => name)].map((name) => name.trim()).filter(Boolean);
}

test('all exported names are counted, in lists and alone', () => {
  expect(namesOf('packages/server/src/records/index.ts')).toContain('type GifRecord');
  expect(namesOf('packages/server/src/main.ts')).toEqual([]);
});

test('no room exports too many names', () => {
  const doors = Object.values(BOUNDARIES)
    .map(({ folder }) => `${folder}/index.ts`)
    .filter((door) => door.startsWith('packages/server/') && fs.existsSync(door));
  expect(doors.length).toBeGreaterThan(20);
  const wide = doors.map((door) => [door, namesOf(door).length] as const).filter(([, names]) => names > MOST_NAMES);
  expect(wide).toEqual([]);
});

test('no folder has too many files of code beside its tests', () => {
  const code = files.filter((file) => /\.(?:ts|tsx|js|mjs)$/.test(file) && !file.endsWith('.test.ts'));
  const folders = Object.entries(Object.groupBy(code, (file) => path.dirname(file)));
  expect(folders.length).toBeGreaterThan(50);
  const large = folders.filter(([, inside = []]) => inside.length > MOST_FILES).map(([folder]) => folder);
  expect(large).toEqual([]);
});
