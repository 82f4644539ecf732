import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * Queries as people type them. Each file in `typing` has the queries of one kind, and for each query the title that must
 * be among the first three. A row without a query is a title that must not get in the way.
 */

const FOLDER = path.join(import.meta.dirname, 'typing');
/** Number of results among which the title must be. */
const FIRST = 3;

test.each(fs.readdirSync(FOLDER))('%s', async (name) => {
  const rows = fs
    .readFileSync(path.join(FOLDER, name), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t') as [query: string, title: string]);
  const titles = [...new Set(rows.map(([, title]) => title))];
  using folder = temporaryFolder();
  const manifest = writeManifest(
    path.join(folder.path, 'titles.jsonl'),
    titles.map((title) => ({ title })),
  );
  expect(await zoetrope(folder.path, ['add', '--quiet', manifest])).toMatchObject({ code: 0 });
  await using server = await startServer(folder.path);
  const queries = rows.filter(([query]) => query !== '');
  const wrong: string[] = [];
  for (const mode of ['text', 'auto']) {
    for (const [query, title] of queries) {
      const url = `/api/v1/search?limit=${FIRST}&mode=${mode}&q=${encodeURIComponent(query)}`;
      const { items } = (await (await server.get(url)).json()) as { items: { title: string }[] };
      const found = items.map((item) => item.title);
      if (!found.includes(title)) wrong.push(`${query} (${mode}): ${found.join(', ')} instead of ${title}`);
    }
  }
  expect(wrong).toEqual([]);
});
