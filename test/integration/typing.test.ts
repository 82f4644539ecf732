import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * Queries in the form in which people type them. Each file in `typing` has queries of one kind. Each query has the
 * title that must be among the first three results. All titles are in one catalogue.
 */

const FOLDER = path.join(import.meta.dirname, 'typing');
const KINDS = fs.readdirSync(FOLDER);
/** The title must be among this number of first results. */
const FIRST = 3;

/** Titles that have one word of a name. */
const PARTS_OF_NAMES = [
  'asteroid impact',
  'flying ace',
  'a character of its own',
  'paint it blue',
  'an angry walrus',
  'dusty archive',
];

/** Titles with both words of a pair, and with one of them. */
const BOTH = ['lady spins round', 'the lady likes to spin'];
const ONE = ['lady waves', 'spin it'];

const folder = temporaryFolder();
let server: Server;

/**
 * Returns the queries of a kind, each with its title. A title without a query is only there to compete with the right
 * titles.
 */
function readRows(kind: string): [query: string, title: string][] {
  const lines = fs.readFileSync(path.join(FOLDER, kind), 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => line.split('\t') as [string, string]);
}

beforeAll(async () => {
  const titles = new Set(KINDS.flatMap(readRows).map(([, title]) => title));
  const rows = Array.from([...titles, ...PARTS_OF_NAMES, ...BOTH, ...ONE], (title) => ({ title }));
  const tagged = { title: 'out of the sea', tags: ['nyarlathotep fears happy cats'] };
  const manifest = writeManifest(path.join(folder.path, 'titles.jsonl'), [...rows, tagged]);
  expect(await zoetrope(folder.path, ['add', '--quiet', manifest])).toMatchObject({ code: 0 });
  server = await startServer(folder.path);
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

test.each(['vrzq firewor', 'vrzq nyarlathot'])(
  'a completion that matches no other word of the query is not searched: %s',
  async (query) => {
    const response = await server.get(`/api/v1/search?q=${encodeURIComponent(query)}`);
    expect(await response.json()).toMatchObject({ items: [] });
  },
);

test.each([
  'vrzq impact',
  'katsuragi ace (umamusume)',
  'doraemon (character)',
  'yuuka (blue archive)',
  'angry walrus (umamusume)',
  // Divided into two words, the query is too long to know whether a GIF has enough of them.
  'angryflying (walrus) (blue archive)',
])('a name that no GIF has finds no GIFs that have one of its words: %s', async (query) => {
  for (const mode of ['text', 'auto']) {
    const response = await server.get(`/api/v1/search?mode=${mode}&q=${encodeURIComponent(query)}`);
    expect(await response.json(), mode).toMatchObject({ items: [] });
  }
});

test('if two GIFs have both words of a query, GIFs with only one of the words are left out', async () => {
  for (const mode of ['text', 'auto']) {
    const response = await server.get(`/api/v1/search?mode=${mode}&q=lady+spin`);
    const { items } = (await response.json()) as { items: { title: string }[] };
    expect(items.map(({ title }) => title).sort(), mode).toEqual(BOTH);
  }
});

test.each(KINDS)('%s', async (kind) => {
  const queries = readRows(kind).filter(([query]) => query !== '');
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
