import type { Generated, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { ServiceError } from '../base/errors.ts';
import { type Database, viewOf } from '../platform/db/index.ts';
import { countJobs, type Refusal, refusalsOf } from '../platform/jobs/index.ts';
import { kindsOf } from './queues.ts';

/*
 * The memory of what was added. Each request to add sources is an import. Its files are jobs (see platform/jobs), and
 * refused jobs keep their reasons. So an operator can learn much later why a file is not in the catalogue.
 */

interface ImportTable {
  seq: Generated<number>;
  /** Name of the request, which all of its jobs have. */
  run: string;
  /** JSON text of a list: what to pass to `zoetrope add` to import the same again. */
  command: string;
  /** Name of the machine on which it was requested if several machines share the catalogue, otherwise empty. */
  machine: string;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  endedAt: number | null;
  /** Files that became new GIFs. */
  added: Generated<number>;
  /** Files whose GIF the catalogue had already. */
  known: Generated<number>;
  /** Linked GIFs that were read from manifests. */
  linked: Generated<number>;
  /** Files and lines that were refused; 0 until the end. */
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
  /** What to pass to `zoetrope add` to import the same again. */
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
}

/** Saves that an import begins. Call it in the transaction that queues its sources. */
export async function beginImport(
  db: Database,
  { command, ...row }: { run: string; command: readonly string[]; machine: string; startedAt: number },
): Promise<void> {
  await tables(db)
    .insertInto('imports')
    .values({ ...row, command: JSON.stringify(command) })
    .execute();
}

/** Counts results of an import. Call it in the transaction that saves them, so that a crash loses or repeats none. */
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

/** Saves the end of each import of which no source or file is left. */
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

/** Previews are made later, and the catalogue does not wait for them. */
async function countOpen(db: Database, run: string): Promise<number> {
  const all = await countJobs(db, 'ready', { runs: [run] });
  return all - (await countJobs(db, 'ready', { runs: [run], kinds: kindsOf.previews() }));
}

/** Returns the numbers of what imports have added so far. */
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
 * Returns an import with its refusals. A file that was added again later belongs to the later import.
 * @throws ServiceError `not_found`
 */
export async function findImport(db: Database, id: number): Promise<Import & { refusals: Refusal[] }> {
  const row = Number.isSafeInteger(id)
    ? await tables(db).selectFrom('imports').selectAll().where('seq', '=', id).executeTakeFirst()
    : undefined;
  if (row === undefined) throw new ServiceError('not_found', `There is no run ${id}; zoetrope jobs lists them`);
  return { ...(await toImport(db, row as ImportRow)), refusals: await refusalsOf(db, row.run) };
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
  };
}
