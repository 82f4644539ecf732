import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, inTransaction, isPostgres, WRITER_LOCK } from '../platform/db/index.ts';
import { chunks } from './chunks.ts';
import { tables } from './tables.ts';

/*
 * Notes which GIFs have changed, so that a build can be updated without reading the whole catalogue. All tables from
 * which builds are made have triggers that note changes. The code that makes vectors and captions calls `noteChanged`.
 * A change has the next revision of the catalogue. Therefore every change that is not in a snapshot of revision r has a
 * revision above r.
 */

declare module './tables.ts' {
  interface CatalogTables {
    /** The last change of each GIF, including removed GIFs and former ids. */
    changes: { gif: string; revision: number };
    /** Builds, each with the revision that it shows. All changes after that revision are noted. */
    knownBuilds: { name: string; revision: number };
  }
}

/**
 * The tables whose changes are noted, with the column of the GIF's id and the columns that are watched. An empty list watches
 * all columns. A new or deleted row is ignored if its watched columns are all null.
 */
const NOTED: readonly { table: string; id: string; columns: readonly string[] }[] = [
  { table: 'gifs', id: 'id', columns: [] },
  { table: 'links', id: 'id', columns: ['url'] },
  { table: 'ratings', id: 'id', columns: ['rating', 'said_by'] },
  { table: 'edits', id: 'id', columns: ['title', 'tags', 'alt'] },
  { table: 'aliases', id: 'gif', columns: ['id', 'url'] },
  { table: 'seen_pictures', id: 'id', columns: [] },
];

export const changesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const changes = db.schema.createTable('changes').addColumn('gif', 'text', (column) => column.primaryKey());
    const withRevision = changes.addColumn('revision', 'integer', (column) => column.notNull());
    await (isPostgres(db) ? withRevision : withRevision.modifyEnd(sql`without rowid`)).execute();
    await db.schema.createIndex('changes_revision').on('changes').column('revision').execute();
    await db.schema
      .createTable('known_builds')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .execute();
    if (isPostgres(db)) {
      await createNotingFunctions(db);
      await sql`create trigger catalog_state_turn before update on catalog_state execute function zoetrope_take_turn()`.execute(
        db,
      );
    }
    for (const noted of NOTED) await (isPostgres(db) ? noteOnPostgres(db, noted) : noteOnSqlite(db, noted));
    // Notes of changes up to the revision in `forgotten` may have been removed.
    await sql`alter table catalog_state add column forgotten integer not null default 0`.execute(db);
    await sql`update catalog_state set forgotten = revision`.execute(db);
    // Changes before this migration were not noted. Therefore all GIFs must be checked if a space is incomplete.
    await sql`alter table vector_states add column through integer not null default 0`.execute(db);
    await sql`delete from vector_states where revision <> (select revision from catalog_state)`.execute(db);
    await sql`update vector_states set through = revision`.execute(db);
  },
};

/** Watches the columns of GIFs again, after a migration has added columns. */
export async function watchNewColumns(db: Kysely<unknown>): Promise<void> {
  const noted = NOTED.find(({ table }) => table === 'gifs')!;
  await sql.raw(`drop trigger gifs_update_noted${isPostgres(db) ? ' on gifs' : ''}`).execute(db);
  await (isPostgres(db) ? noteUpdatesOnPostgres(db, noted) : noteUpdatesOnSqlite(db, noted));
}

type Noted = (typeof NOTED)[number];

async function noteOnSqlite(db: Kysely<unknown>, noted: Noted): Promise<void> {
  const { id, columns } = noted;
  const says = (row: string) =>
    (columns.length > 0 ? columns : [id]).map((column) => `${row}.${column} is not null`).join(' or ');
  await triggerOnSqlite(db, noted, { event: 'insert', when: says('new'), rows: ['new'] });
  await triggerOnSqlite(db, noted, { event: 'delete', when: says('old'), rows: ['old'] });
  await noteUpdatesOnSqlite(db, noted);
}

async function noteUpdatesOnSqlite(db: Kysely<unknown>, noted: Noted): Promise<void> {
  const { table, id, columns } = noted;
  const compared = columns.length > 0 ? [id, ...columns] : await columnsOf(db, table);
  const differs = compared.map((column) => `old.${column} is not new.${column}`).join(' or ');
  await triggerOnSqlite(db, noted, { event: 'update', when: differs, rows: ['old', 'new'] });
}

interface Trigger {
  event: 'insert' | 'update' | 'delete';
  when: string;
  /** Names of the rows (`old`, `new`) whose GIFs are noted. */
  rows: readonly string[];
}

async function triggerOnSqlite(db: Kysely<unknown>, { table, id }: Noted, { event, when, rows }: Trigger) {
  await sql
    .raw(`create trigger ${table}_${event}_noted after ${event} on ${table} when ${when} begin
      ${rows.map((row) => `${note(`${row}.${id}`)};`).join('\n')}
    end`)
    .execute(db);
}

/**
 * A writer outside `inTransaction` waits here for its turn, because the revision that it reads must not be published
 * before its change is committed.
 */
async function createNotingFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`create function zoetrope_take_turn() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(${sql.lit(WRITER_LOCK)});
    return null;
  end $$`.execute(db);
  await sql`create function zoetrope_note_change(text) returns void language plpgsql as $$ begin
    ${sql.raw(note('$1'))};
  end $$`.execute(db);
  await sql`create function zoetrope_note_row() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then perform zoetrope_note_change(to_jsonb(old) ->> tg_argv[0]); end if;
    if tg_op <> 'DELETE' then perform zoetrope_note_change(to_jsonb(new) ->> tg_argv[0]); end if;
    return null;
  end $$`.execute(db);
}

async function noteOnPostgres(db: Kysely<unknown>, noted: Noted): Promise<void> {
  const { table, id, columns } = noted;
  const says = (name: string) =>
    (columns.length > 0 ? columns : [id]).map((column) => `${name}.${column} is not null`).join(' or ');
  const turn = `before insert or update or delete on ${table} execute function zoetrope_take_turn()`;
  await sql.raw(`create trigger ${table}_turn ${turn}`).execute(db);
  await triggerOnPostgres(db, noted, { event: 'insert', when: says('new') });
  await triggerOnPostgres(db, noted, { event: 'delete', when: says('old') });
  await noteUpdatesOnPostgres(db, noted);
}

async function noteUpdatesOnPostgres(db: Kysely<unknown>, noted: Noted): Promise<void> {
  const { id, columns } = noted;
  const row = (name: string) => (columns.length === 0 ? [`${name}.*`] : columns.map((column) => `${name}.${column}`));
  const differs = `(old.${id}, ${row('old')}) is distinct from (new.${id}, ${row('new')})`;
  await triggerOnPostgres(db, noted, { event: 'update', when: differs });
}

async function triggerOnPostgres(
  db: Kysely<unknown>,
  { table, id }: Noted,
  { event, when }: Pick<Trigger, 'event' | 'when'>,
) {
  const action = `for each row when (${when}) execute function zoetrope_note_row('${id}')`;
  await sql.raw(`create trigger ${table}_${event}_noted after ${event} on ${table} ${action}`).execute(db);
}

function note(gif: string): string {
  return `insert into changes select ${gif}, revision + 1 from catalog_state where true
    on conflict (gif) do update set revision = excluded.revision`;
}

async function columnsOf(db: Kysely<unknown>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Returns the ids of GIFs that may have changed after this revision, in ascending order. The ids can be current or
 * former ids, and the GIFs can be shown, hidden or removed.
 */
export async function changedSince(db: Database, revision: number): Promise<string[]> {
  const changes = tables(db).selectFrom('changes').select('gif').where('revision', '>', revision);
  const rows = await changes.orderBy('gif').execute();
  return rows.map(({ gif }) => gif);
}

export async function countChangedSince(db: Database, revision: number): Promise<number> {
  const changes = tables(db).selectFrom('changes').where('revision', '>', revision);
  return (await changes.select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

/** Notes changes that the triggers cannot see, such as new vectors. */
export async function noteChanged(db: Database, ids: readonly string[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const some of chunks([...new Set(ids)])) {
      const gifs: RawBuilder<unknown> = sql.join(some.map((id) => sql`(${id})`));
      await sql`insert into changes select column1, revision + 1 from (values ${gifs}) as noted, catalog_state where true
        on conflict (gif) do update set revision = excluded.revision`.execute(trx);
    }
  });
}

/**
 * Records that a build is about to be published. Deltas are added only to recorded builds, because the changes after
 * any other build are unknown. For example, a build is unknown if the database was restored from a copy that was made
 * before the build.
 */
export async function noteBuild(db: Database, { build: name, revision }: Built): Promise<void> {
  const row = tables(db).insertInto('knownBuilds').values({ name, revision });
  await row.onConflict((conflict) => conflict.column('name').doUpdateSet({ revision })).execute();
}

export async function isBuildKnown(db: Database, { build, revision }: Built): Promise<boolean> {
  const row = tables(db).selectFrom('knownBuilds').select('revision').where('name', '=', build);
  return (await row.executeTakeFirst())?.revision === revision && (await areChangesKnown(db, revision));
}

/** The name of a build, and the revision of the catalogue that it shows. */
interface Built {
  readonly build: string;
  readonly revision: number;
}

/**
 * Maximum number of builds of other machines that are kept when a machine makes a new base. With these, machines that
 * share a catalogue but not their builds can still add deltas to their own bases.
 */
const OTHERS = 16;

/** Prefix of the names of indexes in a search cluster. A catalogue can be in a cluster and in builds. */
export const IN_CLUSTER = 'cluster ';

/**
 * Forgets all other builds, and the changes that this base contains. Keeps changes that may still need vectors, the
 * latest builds of other machines and of the other engine, and the changes after these builds.
 */
export async function forgetChanges(db: Database, base: Built): Promise<void> {
  await inTransaction(db, async (trx) => {
    const states = tables(trx)
      .selectFrom('vectorStates')
      .select((least) => least.fn.min('through').as('through'));
    const { through } = await states.executeTakeFirstOrThrow();
    const others = tables(trx).selectFrom('knownBuilds').selectAll().where('name', '<>', base.build);
    const builds = await others.orderBy('revision', 'desc').execute();
    const kept = [...(isPostgres(db) ? builds.slice(0, OTHERS) : []), ...latestOfOther(base, builds)];
    const names = [base.build, ...kept.map(({ name }) => name)];
    await tables(trx).deleteFrom('knownBuilds').where('name', 'not in', names).execute();
    const last = Math.min(base.revision, through ?? base.revision, ...kept.map(({ revision }) => revision));
    await tables(trx).deleteFrom('changes').where('revision', '<=', last).execute();
    await tables(trx).updateTable('catalogState').set({ forgotten: last }).where('forgotten', '<', last).execute();
  });
}

/**
 * Returns the latest build of the other engine, which is still being updated if it is newer than the earlier base of
 * this engine.
 * @param builds the latest first
 */
function latestOfOther(base: Built, builds: readonly { name: string; revision: number }[]) {
  const isInCluster = ({ name }: { name: string }) => name.startsWith(IN_CLUSTER);
  const engine = isInCluster({ name: base.build });
  const earlier = builds.findLast((build) => isInCluster(build) === engine);
  const other = builds.find((build) => isInCluster(build) !== engine);
  return other !== undefined && other.revision >= (earlier?.revision ?? 0) ? [other] : [];
}

/** Returns whether all changes after a revision are noted. */
export async function areChangesKnown(db: Database, since: number): Promise<boolean> {
  const state = tables(db).selectFrom('catalogState').select('forgotten');
  return (await state.executeTakeFirstOrThrow()).forgotten <= since;
}
