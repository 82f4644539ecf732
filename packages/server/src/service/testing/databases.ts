import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type { Database, PostgresLimits } from '../../platform/db/index.ts';
import { ENGINES, type Engine } from '../../platform/testing/engines.ts';
import { CATALOGUE_MIGRATIONS, DATA_MIGRATIONS } from '../migrations.ts';

/** A catalogue for one test. */
export interface Opened {
  db: Database;
}

/**
 * Runs the same tests on SQLite and PostgreSQL, each with an empty catalogue.
 * @param options `only`: the only database on which the tests run; `limits`: the limits of connections to PostgreSQL
 */
export function onEachDatabase(
  tests: (opened: Readonly<Opened>) => void,
  { only, ...options }: { only?: 'PostgreSQL'; limits?: PostgresLimits } = {},
): void {
  describe.each(ENGINES.filter((engine) => only === undefined || engine.name === only))(
    'on $name',
    ({ name, start }) => {
      let engine: Engine;
      const opened = {} as Opened;

      beforeAll(async () => {
        engine = await start({ hasOneWriter: true, ...options });
      }, 60_000);

      beforeEach(async () => {
        opened.db = await engine.open(name === 'SQLite' ? DATA_MIGRATIONS : CATALOGUE_MIGRATIONS);
      });

      afterEach(() => opened.db.destroy());
      afterAll(() => engine.stop());

      tests(opened);
    },
  );
}
