import fs from 'node:fs';
import os from 'node:os';
import type { TableShape } from '../../packages/search/src/meaning/features.ts';
import { writeTable } from '../../packages/search/src/meaning/table.ts';
import { readLessons } from './corpus.ts';
import { emphasiseRareRows, findFrequent, makeMatrix, shared } from './matrix.ts';
import { solve } from './solve.ts';
import { checkTeacher, DIMENSIONS, teach } from './teacher.ts';

/*
 * Learns packages/server/tables/meaning.bin, the table that gives texts vectors of meaning, from the vectors of a
 * sentence encoder:
 *   npm ci --prefix tools/meaning
 *   node --conditions=zoetrope --max-old-space-size=8000 tools/meaning/learn.ts FOLDER
 * FOLDER contains the encoder (see README.md). The result is the same each time, apart from the encoder's rounding.
 */

const TARGET = new URL('../../packages/server/tables/meaning.bin', import.meta.url);
/** All rows together take 16 MB. */
const MOST = { words: 34_000, groups: 8_000 };
/** Weight of the rows' own size, compared with the error of one text. It keeps rare words near to 0. */
const RIDGE = 1;
/** Steps of the solver. They take a minute on two cores. More steps were not compared. */
const STEPS = 12;

const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder of the encoder; see tools/meaning/README.md');
checkTeacher(folder);
const threads = os.availableParallelism();
const { titles, lessons } = readLessons();
const texts = lessons.map(({ text }) => text);
report(`${texts.length} texts`);
const wanted = await teach(folder, texts, threads);
report('their vectors');
const known = findFrequent(texts, MOST.words);
const shape: TableShape = { dimensions: DIMENSIONS, ...MOST, words: known.length };
const matrix = makeMatrix(texts, known, shape);
report(`${matrix.rows.length} features`);
const importance = shared(
  Float32Array,
  lessons.map((lesson) => lesson.importance),
);
const rows = await solve({ matrix, importance, wanted, dimensions: DIMENSIONS, ridge: RIDGE, steps: STEPS }, threads);
emphasiseRareRows(rows, matrix, titles);
const bytes = writeTable(shape, known, rows);
fs.writeFileSync(TARGET, bytes);
report(`a table of ${(bytes.length / 1e6).toFixed(1)} MB`);

function report(what: string): void {
  process.stderr.write(`${performance.now().toFixed(0).padStart(8)} ms  ${what}\n`);
}
