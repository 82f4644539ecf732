import type { Generated, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { ServiceError } from '../base/errors.ts';
import { type Database, viewOf } from '../platform/db/index.ts';
import {
  continueRun,
  countJobs,
  pausedAmong,
  pauseRun,
  type Refusal,
  refusalsNamed,
  refusalsOf,
} from '../platform/jobs/index.ts';
import { keyOf, kindsOf } from './queues.ts';

/*
 * The record of all imports. Each request to add sources is an import. Its files are jobs (see platform/jobs), and the
 * reasons for refused jobs are kept, so that an operator can find out much later why a file is not in the catalogue.
 */

interface ImportTable {
  seq: Generated<number>;
  /** Name of the request. All of its jobs have this name. */
  run: string;
  /** The arguments of `zoetrope add` for importing the same sources again, as a JSON list. */
  command: string;
  /**
   * Name of the machine on which the import was requested, if several machines share the catalogue. Otherwise empty.
   */
  machine: string;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  endedAt: number | null;
  /** Files that became new GIFs. */
  added: Generated<number>;
  /** Files whose GIF was already in the catalogue. */
  known: Generated<number>;
  /** Linked GIFs that were read from manifests. */
  linked: Generated<number>;
  /** Files and lines that were refused. The number is 0 until the import ends. */
  refused: Generated<number>;
}

const tables = viewOf<{ imports: ImportTable }>();

/** The migration that creates the room's table. */
export const ingestMigrations = {
  imports: {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('imports')
        .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('run', 'text', (column) => column.notNull().unique())
        .addColumn('command', 'text', (column) => column.notNull())
        .addColumn('machine', 'text', (column) => column.notNull())
        .addColumn('started_at', 'integer', (column) => column.notNull())
        .addColumn('ended_at', 'integer')
        .addColumn('added', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('known', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('linked', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('refused', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    },
  } satisfies Migration,
};

/** An import, as operators see it. Times are in milliseconds since the Unix epoch. */
export interface Import {
  id: number;
  /** The arguments of `zoetrope add` for importing the same sources again. */
  command: string[];
  machine: string;
  startedAt: number;
  /** Null until all files have been processed. */
  endedAt: number | null;
  added: number;
  known: number;
  linked: number;
  refused: number;
  /** Sources and files that still have to be processed. */
  open: number;
  isPaused: boolean;
}

/**
 * Pauses an import, or continues it. Files that are already being processed are finished.
 * @throws ServiceError `not_found`, or `conflict` if the import has ended
 */
export async function setPaused(db: Database, id: number, isPaused: boolean): Promise<void> {
  await findImport(db, id);
  const { run, endedAt } = await tables(db)
    .selectFrom('imports')
    .select(['run', 'endedAt'])
    .where('seq', '=', id)
    .executeTakeFirstOrThrow();
  if (endedAt !== null) throw new ServiceError('conflict', 'This import has ended, so there is nothing to pause');
  await (isPaused ? pauseRun(db, run) : continueRun(db, run));
}

/** Saves the start of an import. Call it in the transaction that queues the import's sources. */
export async function beginImport(
  db: Database,
  { command, ...row }: { run: string; command: readonly string[]; machine: string; startedAt: number },
): Promise<void> {
  await tables(db)
    .insertInto('imports')
    .values({ ...row, command: JSON.stringify(command) })
    .execute();
}

/**
 * Counts results of an import. Call it in the transaction that saves the results, so that no result is lost or counted
 * twice after a crash.
 */
export async function countResults(
  db: Database,
  run: string,
  what: 'added' | 'known' | 'linked',
  n: number,
): Promise<void> {
  await tables(db)
    .updateTable('imports')
    .set((row) => ({ [what]: row(what, '+', n) }))
    .where('run', '=', run)
    .execute();
}

/** Saves the end of each import that has no source or file left. */
export async function endImports(db: Database, runs: Iterable<string>, now: number): Promise<void> {
  for (const run of runs) {
    if ((await countOpen(db, run)) > 0) continue;
    const refused = await countJobs(db, 'refused', { runs: [run] });
    await tables(db)
      .updateTable('imports')
      .set({ endedAt: now, refused })
      .where('run', '=', run)
      .where('endedAt', 'is', null)
      .execute();
  }
}

/** Counts the open sources and files of an import. Previews do not count, because they are made later. */
async function countOpen(db: Database, run: string): Promise<number> {
  const all = await countJobs(db, 'ready', { runs: [run] });
  return all - (await countJobs(db, 'ready', { runs: [run], kinds: kindsOf.previews() }));
}

/** Returns how many GIFs the imports have added so far. */
export async function resultsOf(
  db: Database,
  runs: readonly string[],
): Promise<{ added: number; known: number; linked: number }> {
  const sum = { added: 0, known: 0, linked: 0 };
  for (const row of await tables(db).selectFrom('imports').selectAll().where('run', 'in', runs).execute()) {
    sum.added += row.added;
    sum.known += row.known;
    sum.linked += row.linked;
  }
  return sum;
}

const PAGE = 50;

/** Returns the latest imports, latest first. @param before only imports before this one; 0 for the latest */
export async function pageOfImports(db: Database, before = 0): Promise<Import[]> {
  let rows = tables(db).selectFrom('imports').selectAll();
  if (before > 0) rows = rows.where('seq', '<', before);
  const page = await rows.orderBy('seq', 'desc').limit(PAGE).execute();
  return Promise.all(page.map((row) => toImport(db, row as ImportRow)));
}

/**
 * Returns an import with its refusals. A file that was added again later is listed only in the later import.
 * @throws ServiceError `not_found`
 */
export async function findImport(db: Database, id: number): Promise<Import & { refusals: Refusal[] }> {
  const row = Number.isSafeInteger(id)
    ? await tables(db).selectFrom('imports').selectAll().where('seq', '=', id).executeTakeFirst()
    : undefined;
  if (row === undefined) throw new ServiceError('not_found', `There is no run ${id}; zoetrope jobs lists them`);
  return { ...(await toImport(db, row as ImportRow)), refusals: await refusalsOf(db, row.run) };
}

/** Returns the import of a request. @throws ServiceError `not_found` */
export async function findImportOf(db: Database, run: string): Promise<Import & { refusals: Refusal[] }> {
  const row = await tables(db).selectFrom('imports').select('seq').where('run', '=', run).executeTakeFirst();
  return findImport(db, row?.seq ?? 0);
}

/** Returns whether the import of a request has ended, or undefined if there is no such import. */
export async function isImportEnded(db: Database, run: string): Promise<boolean | undefined> {
  const row = await tables(db).selectFrom('imports').select('endedAt').where('run', '=', run).executeTakeFirst();
  return row && row.endedAt !== null;
}

/** Returns the refusals of a file or source with this path, in any import that was requested on this machine. */
export function refusalsOfPath(db: Database, machine: string, given: string): Promise<Refusal[]> {
  const kinds = [...kindsOf.source(machine), ...kindsOf.gif(machine)];
  return refusalsNamed(db, kinds, keyOf(given, machine));
}

type ImportRow = Omit<ImportTable, 'seq' | 'added' | 'known' | 'linked' | 'refused'> &
  Record<'seq' | 'added' | 'known' | 'linked' | 'refused', number>;

async function toImport(db: Database, { seq, run, command, ...row }: ImportRow): Promise<Import> {
  const isOpen = row.endedAt === null;
  return {
    id: seq,
    ...row,
    command: JSON.parse(command) as string[],
    refused: isOpen ? await countJobs(db, 'refused', { runs: [run] }) : row.refused,
    open: isOpen ? await countOpen(db, run) : 0,
    isPaused: isOpen && (await pausedAmong(db, [run])).has(run),
  };
}
