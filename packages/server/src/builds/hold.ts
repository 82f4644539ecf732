import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, inTransaction, viewOf } from '../platform/db/index.ts';
import { bumpShown, revision } from '../records/index.ts';
import type { PublishedManifest } from './manifest.ts';

/** An operator's decision that all machines serve one build, and that no other build is published. */
export interface Hold {
  build: string;
  /** When the build was chosen, in milliseconds since the Unix epoch. */
  at: number;
  /**
   * Null while the build is held. Afterwards, the revision at which the hold ended. Builds of earlier revisions are not
   * served, because they can show GIFs that were hidden during the hold.
   */
  until: number | null;
}

/** Returns a view of a database that has only the table of this file. */
const tables = viewOf<{ heldBuild: Hold }>();

export const holdMigrations = {
  /** Creates the table of the held build, which has at most one row. */
  heldBuild: {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('held_build')
        .addColumn('build', 'text', (column) => column.primaryKey())
        .addColumn('at', 'integer', (column) => column.notNull())
        .addColumn('until', 'integer')
        .execute();
    },
  } satisfies Migration,
};

/** Returns the current hold, or the last hold if no build is held. */
export function readHold(db: Database): Promise<Hold | undefined> {
  return tables(db).selectFrom('heldBuild').selectAll().executeTakeFirst();
}

/** Returns the hold; undefined if no build is held. */
export async function currentHold(db: Database): Promise<Hold | undefined> {
  const hold = await readHold(db);
  return hold?.until === null ? hold : undefined;
}

/** Holds a build. @param now milliseconds since the Unix epoch */
export async function holdBuild(db: Database, build: string, now: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    await tables(trx).deleteFrom('heldBuild').execute();
    await tables(trx).insertInto('heldBuild').values({ build, at: now, until: null }).execute();
    // This makes all machines read the catalogue again.
    await bumpShown(trx);
  });
}

/**
 * Ends the hold, so that a new build is due.
 * @returns the name of the build that was held; undefined if no build was held
 */
export async function endHold(db: Database): Promise<string | undefined> {
  return inTransaction(db, async (trx) => {
    const hold = await currentHold(trx);
    if (hold === undefined) return undefined;
    await bumpShown(trx);
    await tables(trx)
      .updateTable('heldBuild')
      .set({ until: await revision(trx) })
      .execute();
    return hold.build;
  });
}

/**
 * Returns whether a build shows the catalogue as it was before the hold. In such a build, outdated GIFs must be hidden.
 */
export function isRolledBack(
  hold: Hold | undefined,
  { build, revision }: Pick<PublishedManifest, 'build' | 'revision'>,
) {
  return hold?.build === build && (hold.until === null || revision < hold.until);
}

/** Returns whether a build may be served. */
export function mayServe(hold: Hold | undefined, published: Pick<PublishedManifest, 'build' | 'revision'>): boolean {
  if (hold === undefined || published.build === hold.build) return true;
  return hold.until !== null && published.revision >= hold.until;
}
