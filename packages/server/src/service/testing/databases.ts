import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type { Database } from '../../platform/db/index.ts';
import { ENGINES, type Engine } from '../../platform/testing/engines.ts';
import { CATALOGUE_MIGRATIONS, DATA_MIGRATIONS } from '../migrations.ts';

/** A catalogue for one test. */
export interface Opened {
  db: Database;
}

/**
 * Runs the same tests on SQLite and PostgreSQL, each with an empty catalogue. @param name if given, the tests run only
 * on this database
 */
export function onEachDatabase(tests: (opened: Readonly<Opened>) => void, name?: 'PostgreSQL'): void {
  describe.each(ENGINES.filter((engine) => name === undefined || engine.name === name))(
    'on $name',
    ({ name: engineName, start }) => {
      let engine: Engine;
      const opened = {} as Opened;

      beforeAll(async () => {
        engine = await start({ hasOneWriter: true });
      }, 60_000);

      beforeEach(async () => {
        opened.db = await engine.open(engineName === 'SQLite' ? DATA_MIGRATIONS : CATALOGUE_MIGRATIONS);
      });

      afterEach(() => opened.db.destroy());
      afterAll(() => engine.stop());

      tests(opened);
    },
  );
}
