import { createHash, type Hash } from 'node:crypto';
import { sql } from 'kysely';
import { isPostgres } from './postgres-dialect.ts';
import type { Database } from './tables.ts';
import { inSnapshot, inTransaction } from './transaction.ts';

const ROWS = 500;
/** SQLite allows 32,766 parameters in a statement, PostgreSQL 65,535. */
const PARAMETERS = 30_000;

export interface CopyTask {
  onProgress(progress: { table: string; done: number; total: number }): void;
  signal: AbortSignal;
}

interface Table {
  name: string;
  columns: string[];
  /** The columns of the primary key, in order. */
  key: string[];
  /** The tables that foreign keys refer to. */
  refersTo: string[];
}

type Row = Record<string, unknown>;

/** The tables of a SQLite database except those of SQLite and of migrations, ordered so that each one refers only to earlier ones. */
export async function tablesOf(sqlite: Database): Promise<string[]> {
  return (await readTables(sqlite)).map(({ name }) => name);
}

/**
 * Replaces the rows of tables in one database by those of another, which has the same tables. One of the two is SQLite. All is
 * one transaction, which first reads everything back and compares it.
 * @returns the number of rows of each table
 * @throws Error if a table differs afterwards, or the signal's reason; the target is then unchanged
 */
export async function copyTables(
  from: Database,
  to: Database,
  names: ReadonlySet<string>,
  task: CopyTask,
): Promise<Map<string, number>> {
  const all = await readTables(isPostgres(from) ? to : from);
  // Triggers note every copied GIF as changed, so what is noted has to be copied last.
  const tables = all
    .filter(({ name }) => names.has(name))
    .sort((a, b) => Number(a.name === NOTES) - Number(b.name === NOTES));
  return inSnapshot(from, (source) =>
    inTransaction(to, async (target) => {
      const counts = new Map<string, number>();
      for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(target);
      for (const table of tables) counts.set(table.name, await copyTable(table, source, target, task));
      return counts;
    }),
  );
}

const NOTES = 'changes';

async function copyTable(table: Table, source: Database, target: Database, task: CopyTask): Promise<number> {
  const { name } = table;
  const total = await countRows(name, source);
  await sql`delete from ${sql.table(name)}`.execute(target);
  const [read, written] = [createHash('sha256'), createHash('sha256')];
  let done = 0;
  for await (const rows of pagesOf(table, source)) {
    task.signal.throwIfAborted();
    const clean = rows.map((row) => storable(row, isPostgres(target)));
    addTo(read, table, clean);
    await insert(table, clean, target);
    done += rows.length;
    task.onProgress({ table: name, done, total });
  }
  for await (const rows of pagesOf(table, target)) addTo(written, table, rows);
  if (read.digest('hex') !== written.digest('hex'))
    throw new Error(`the copy of table ${name} differs from the original`);
  if (isPostgres(target)) await continueNumbers(name, target);
  return done;
}

/** Reads a table by ascending primary key. */
async function* pagesOf({ name, key }: Table, db: Database): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    const after = last && sql`where (${columns}) > (${sql.join(key.map((column) => last![column]))})`;
    const page = sql<Row>`select * from ${sql.table(name)} ${after ?? sql``} order by ${columns} limit ${sql.lit(ROWS)}`;
    const { rows } = await page.execute(db.withoutPlugins());
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS) return;
    last = rows.at(-1);
  }
}

async function insert({ name, columns }: Table, rows: readonly Row[], target: Database): Promise<void> {
  const most = Math.max(1, Math.floor(PARAMETERS / columns.length));
  for (let from = 0; from < rows.length; from += most) {
    const values = rows.slice(from, from + most).map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(values)}`.execute(
      target,
    );
  }
}

/** PostgreSQL stores no NUL characters in texts. */
function storable(row: Row, isForPostgres: boolean): Row {
  if (!isForPostgres) return row;
  const clean = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : value);
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, clean(value)]));
}

function addTo(hash: Hash, { columns }: Table, rows: readonly Row[]): void {
  for (const row of rows) {
    const values = columns.map((column) => {
      const value = row[column];
      return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
    });
    hash.update(`${JSON.stringify(values)}\n`);
  }
}

async function countRows(name: string, db: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
  return rows[0]!.n;
}

/** New rows get numbers after those of the copied rows. */
async function continueNumbers(name: string, postgres: Database): Promise<void> {
  const numbered = sql<{ column: string }>`select column_name as column from information_schema.columns
    where table_schema = current_schema() and table_name = ${name} and is_identity = 'YES'`;
  for (const { column } of (await numbered.execute(postgres)).rows) {
    await sql`select setval(pg_get_serial_sequence(${name}, ${column}), max(${sql.ref(column)}))
      from ${sql.table(name)} having max(${sql.ref(column)}) > 0`.execute(postgres);
  }
}

async function readTables(sqlite: Database): Promise<Table[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'
    and name not like 'sqlite%' and name not like 'kysely%' order by name`.execute(sqlite);
  const tables = await Promise.all(rows.map(({ name }) => readTable(name, sqlite)));
  const ordered: Table[] = [];
  const add = (table: Table): void => {
    if (ordered.includes(table)) return;
    for (const name of table.refersTo) if (name !== table.name) add(tables.find((other) => other.name === name)!);
    ordered.push(table);
  };
  for (const table of tables) add(table);
  return ordered;
}

async function readTable(name: string, sqlite: Database): Promise<Table> {
  const info = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})`.execute(sqlite);
  const keys = await sql<{ other: string }>`select "table" as other from pragma_foreign_key_list(${name})`.execute(
    sqlite,
  );
  return {
    name,
    columns: info.rows.map((column) => column.name),
    key: info.rows
      .filter(({ pk }) => pk > 0)
      .toSorted((a, b) => a.pk - b.pk)
      .map((column) => column.name),
    refersTo: keys.rows.map(({ other }) => other),
  };
}
