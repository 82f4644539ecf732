import { CompiledQuery, type KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { DATA_MIGRATIONS } from '../service/migrations.ts';
import { countQueues } from './moderation.ts';
import { listReports, pageOfReported } from './reports.ts';

/*
 * Every page of the console runs these queries. SQLite has no statistics about the tables, so a small change of a query
 * can make it read all GIFs or sort all reports.
 */

let db: Database;

beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
});

afterEach(() => db.destroy());

/** Returns SQLite's plans for the queries of a function, one line per query. */
async function plansOf(run: (db: Database) => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      queries.push(db.getExecutor().compileQuery(db.getExecutor().transformQuery(node, queryId), queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await run(db.withPlugin(recorder));
  const plans = queries.map(async ({ sql, parameters }) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]));
    return (rows as { detail: string }[]).map(({ detail }) => detail).join('; ');
  });
  return Promise.all(plans);
}

it('the oldest reports are read in the order of their index, without sorting', async () => {
  for (const after of ['', '5:a.gif']) {
    const plans = await plansOf((recorded) => pageOfReported(recorded, { order: 'oldest', after, limit: 20 }));
    expect(plans).toEqual([
      expect.stringMatching(/reports USING INDEX reports_open_at.*older USING INDEX reports_open_gif/),
    ]);
    expect(plans[0]).not.toContain('B-TREE');
  }
});

it('the reports of each GIF are counted in the order of their index', async () => {
  const plans = await plansOf((recorded) => pageOfReported(recorded, { order: 'most', after: '', limit: 20 }));
  expect(plans).toEqual([expect.stringContaining('SCAN reports USING INDEX reports_open_gif')]);
  expect(plans[0]).not.toContain('GROUP BY');
});

it('the reports of one GIF are found by the GIF', async () => {
  const plans = await plansOf((recorded) => listReports(recorded, { gif: 'a.gif', state: 'open' }));
  expect(plans).toEqual([expect.stringMatching(/^SEARCH reports USING INDEX reports_gif\w* \(gif=\?/)]);
});

it('the queues are counted from reports and ratings, and not from all GIFs', async () => {
  const plans = await plansOf(countQueues);
  expect(plans[0]).toContain('SCAN reports USING COVERING INDEX');
  const few = /^SEARCH ratings USING INDEX ratings_rating.*SEARCH gifs USING INDEX sqlite_autoindex/;
  expect(plans.filter((plan) => plan.includes('gifs USING'))).toEqual([
    expect.stringMatching(few),
    expect.stringMatching(few),
    expect.stringMatching(/^SEARCH gifs USING COVERING INDEX gifs_hidden/),
  ]);
});
