import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { isPostgres } from './postgres-dialect.ts';
import type { Database } from './tables.ts';
import { inSnapshot, inTransaction } from './transaction.ts';

const ROWS = 500;
/** Maximum number of parameters in a statement. SQLite allows 32,766 parameters, and PostgreSQL allows 65,535. */
const PARAMETERS = 30_000;

export interface CopyTask {
  onProgress(progress: { done: number; total: number }): void;
  signal: AbortSignal;
}

interface Table {
  name: string;
  columns: string[];
  /** The columns of the primary key, in order. */
  key: string[];
  /** Names of the tables to which foreign keys refer. */
  refersTo: string[];
}

type Row = Record<string, unknown>;

/**
 * Returns the tables of a SQLite database except the tables of SQLite itself and of migrations, ordered so that each
 * table refers only to earlier tables.
 */
export async function tablesOf(sqlite: Database): Promise<string[]> {
  return (await readTables(sqlite)).map(({ name }) => name);
}

/**
 * Replaces the rows of tables in one database with the rows of another database, which has the same tables. One of the
 * two databases is SQLite. Each database has one transaction. If the caller has already begun a transaction, that
 * transaction is used. Before the commit, all rows are read back and compared.
 * @returns the number of rows of each table
 * @throws Error if a table differs after copying, or the signal's reason. In both cases, the target is unchanged. (If
 * the caller has begun the transaction, the caller must roll it back.)
 */
export async function copyTables(
  from: Database,
  to: Database,
  names: ReadonlySet<string>,
  task: CopyTask,
): Promise<Map<string, number>> {
  const all = await readTables(isPostgres(from) ? to : from);
  // Triggers record every copied GIF as changed, so the table of these records must be copied last.
  const tables = all
    .filter(({ name }) => names.has(name))
    .sort((a, b) => Number(a.name === NOTES) - Number(b.name === NOTES));
  return inSnapshot(from, (source) =>
    inTransaction(to, async (target) => {
      const counts = new Map<string, number>();
      for (const { name } of tables) counts.set(name, await countRows(name, source));
      for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(target);
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      let done = 0;
      const onRows = (rows: number): void => {
        task.signal.throwIfAborted();
        done += rows;
        task.onProgress({ done, total });
      };
      for (const table of tables) await copyTable(table, source, target, onRows);
      return counts;
    }),
  );
}

const NOTES = 'changes';

async function copyTable(
  table: Table,
  source: Database,
  target: Database,
  onRows: (rows: number) => void,
): Promise<void> {
  const { name } = table;
  await sql`delete from ${sql.table(name)}`.execute(target);
  let [read, written] = [0n, 0n];
  for await (const rows of pagesOf(table, source)) {
    const clean = rows.map((row) => storable(row, isPostgres(target)));
    for (const row of clean) read += hashOf(table, row);
    await insert(table, clean, target);
    onRows(rows.length);
  }
  for await (const rows of pagesOf(table, target)) for (const row of rows) written += hashOf(table, row);
  if (read !== written) throw new Error(`the copy of table ${name} differs from the original`);
  if (isPostgres(target)) await continueNumbers(name, target);
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

/** Removes NUL characters for PostgreSQL, because PostgreSQL cannot store NUL characters in text. */
function storable(row: Row, isForPostgres: boolean): Row {
  if (!isForPostgres) return row;
  const clean = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : value);
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, clean(value)]));
}

/**
 * Returns a row's hash as a number. The hashes of all rows are added up, so that the order of rows does not matter.
 * (The databases can sort rows differently.)
 */
function hashOf({ columns }: Table, row: Row): bigint {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
  });
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(values)).digest('hex')}`);
}

async function countRows(name: string, db: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
  return rows[0]!.n;
}

/** Sets the next number of a table, so that new rows get higher numbers than the copied rows. */
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
