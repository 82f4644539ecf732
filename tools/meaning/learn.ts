import fs from 'node:fs';
import os from 'node:os';
import type { TableShape } from '../../packages/search/src/meaning/features.ts';
import { writeTable } from '../../packages/search/src/meaning/table.ts';
import { readLessons, readShortTexts } from './corpus.ts';
import { emphasiseRareRows, findFrequent, type Matrix, makeMatrix, shared } from './matrix.ts';
import { solve } from './solve.ts';
import { BUNDLED_TEACHER, openMiniLm, type Teacher, teach } from './teacher.ts';

/*
 * Learns a table in packages/server/tables from the vectors of a sentence encoder:
 *   npm ci --prefix tools/meaning
 *   node --conditions=zoetrope --max-old-space-size=8000 tools/meaning/learn.ts queries
 *   node --conditions=zoetrope --max-old-space-size=8000 tools/meaning/learn.ts meaning FOLDER
 * `queries` imitates the bundled encoder, and is for short queries. `meaning` imitates all-MiniLM-L6-v2, whose files are
 * in FOLDER (see README.md). The result is the same each time, apart from the encoder's rounding.
 */

/** All rows of a table take 16 to 19 MB. */
const MOST = { queries: { words: 30_000, groups: 6_000 }, meaning: { words: 34_000, groups: 8_000 } };
/** Weight of the rows' own size, compared with the error of one text. It keeps rare words near to 0. */
const RIDGE = 1;
/** Steps of the solver. They take a minute on two cores. More steps were not compared. */
const STEPS = 12;

type Sizes = Pick<TableShape, 'words' | 'groups'>;

interface Learnt {
  shape: TableShape;
  known: Uint32Array;
  rows: Float32Array;
  matrix: Matrix;
}

const [name, folder] = process.argv.slice(2);
if (name === 'queries') await learnQueries();
else if (name === 'meaning' && folder !== undefined) await learnMeaning(openMiniLm(folder));
else throw new Error('name the table, and the folder of the encoder; see tools/meaning/README.md');

async function learnQueries(): Promise<void> {
  const texts = readShortTexts();
  const importance = texts.map(() => 1);
  const { shape, known, rows } = await learn(BUNDLED_TEACHER, MOST.queries, { texts, importance });
  save('queries.bin', writeTable(shape, known, rows));
}

async function learnMeaning(teacher: Teacher): Promise<void> {
  const { titles, lessons } = readLessons();
  const texts = lessons.map(({ text }) => text);
  const importance = lessons.map((lesson) => lesson.importance);
  const { shape, known, rows, matrix } = await learn(teacher, MOST.meaning, { texts, importance });
  emphasiseRareRows(rows, matrix, titles);
  save('meaning.bin', writeTable(shape, known, rows));
}

/** @param importance how much the error of each text counts */
async function learn(
  teacher: Teacher,
  most: Sizes,
  { texts, importance }: { texts: readonly string[]; importance: readonly number[] },
): Promise<Learnt> {
  const threads = os.availableParallelism();
  const { dimensions } = teacher;
  report(`${texts.length} texts`);
  const wanted = await teach(teacher, texts, threads);
  report('their vectors');
  const known = findFrequent(texts, most.words);
  const shape: TableShape = { dimensions, ...most, words: known.length };
  const matrix = makeMatrix(texts, known, shape);
  report(`${matrix.rows.length} features`);
  const problem = { matrix, importance: shared(Float32Array, importance), wanted, dimensions };
  const rows = await solve({ ...problem, ridge: RIDGE, steps: STEPS }, threads);
  return { shape, known, rows, matrix };
}

function save(file: string, bytes: Uint8Array): void {
  fs.writeFileSync(new URL(`../../packages/server/tables/${file}`, import.meta.url), bytes);
  report(`${file}, ${(bytes.length / 1e6).toFixed(1)} MB`);
}

function report(what: string): void {
  process.stderr.write(`${performance.now().toFixed(0).padStart(8)} ms  ${what}\n`);
}
