// Can a catalogue move to PostgreSQL and back while it is served, without any loss?

/*
 *   npm run bench migrate -- DATA-FOLDER [--rows 1000000000]
 *
 * DATA-FOLDER has media/, media_more/, catalogue.jsonl.gz and queries.tsv.gz. The catalogue, three clients with keys
 * and a hundred paid orders are moved to PostgreSQL and then into another data folder, each time while a service
 * answers 100 searches per second. One more move is killed halfway. Every table of the two folders is compared, the
 * responses to searches are compared, and the keys are used. `--rows` limits the rows of the catalogue.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { startPostgres } from '../../../packages/server/src/platform/testing/postgres.ts';
import { startLoad } from '../../../test/support/faults/steady-load.ts';
import { parts } from '../../../test/support/parts.ts';
import {
  outcome,
  type Server,
  spawnZoetrope,
  startServer,
  temporaryFolder,
  zoetrope,
} from '../../../test/support/server.ts';
import { readQueryLog } from '../../support/query-log.ts';

const { values, positionals } = parseArgs({ options: { rows: { type: 'string' } }, allowPositionals: true });
const [data] = positionals;
const PER_SECOND = 100;
const CLIENTS = 3;
const ORDERS = 100;
const COMPARED = 500;
/** Tables that a move does not copy, or that a running service changes. */
const UNMOVED = /^(nodes|kysely_|sqlite_)/;

if (data === undefined || parts.postgres === undefined) {
  console.log('skipped: needs a folder with real data, and PostgreSQL');
  process.exit(data === undefined ? 2 : 0);
}

using folder = temporaryFolder();
const [own, back] = [path.join(folder.path, 'own'), path.join(folder.path, 'back')];
const postgres = await startPostgres(parts.postgres);
const QUICK = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_MEDIA_URL: 'https://media.example' };
const shared = { ...QUICK, ZOETROPE_DATABASE_URL: postgres.url };
let requests = 0;
const problems: string[] = [];

async function run(at: string, args: string[], env: Record<string, string> = QUICK): Promise<string> {
  const { code, stdout, stderr } = await zoetrope(at, args, env);
  if (code !== 0 && stdout === '') throw new Error(`${args.join(' ')}: ${code}: ${stderr}`);
  return stdout;
}

/** Returns the catalogue, or its first rows. */
async function readRows(source: string): Promise<string> {
  if (values.rows === undefined) return source;
  const target = path.join(folder.path, 'rows.jsonl');
  const lines = createInterface({ input: fs.createReadStream(source).pipe(createGunzip()) });
  let left = Number(values.rows);
  for await (const line of lines) {
    if (left-- === 0) break;
    fs.appendFileSync(target, `${line}\n`);
  }
  return target;
}

/** Adds the media and the catalogue, with clients, keys and paid orders. @returns the keys */
async function fill(): Promise<string[]> {
  for (const media of ['media', 'media_more']) await run(own, ['add', '--json', '--quiet', path.join(data!, media)]);
  await run(own, ['add', '--json', '--quiet', await readRows(path.join(data!, 'catalogue.jsonl.gz'))]);
  const keys: string[] = [];
  let client = '';
  for (let n = 0; n < CLIENTS; n++) {
    client = JSON.parse(await run(own, ['client', 'add', `App ${n}`, '--json'])).id;
    keys.push(JSON.parse(await run(own, ['key', 'create', client, '--json'])).key);
  }
  const db = new Sqlite(path.join(own, 'zoetrope.db'));
  const order = db.prepare(
    "insert into orders values (?, ?, 'pubkey', 21, 'nwc', ?, 'lnbc', 'paid', 1, 2, 3, 'preimage', 'note')",
  );
  for (let n = 0; n < ORDERS; n++) order.run(`order-${n}`, client, `hash-${n}`);
  db.close();
  return keys;
}

/** Runs a command while the service gets searches. @returns its time in seconds */
async function underLoad(server: Server, act: () => Promise<unknown>): Promise<number> {
  const load = startLoad(PER_SECOND, () => server.get(`/api/v1/search?mode=text&limit=5&q=happy+${requests++}`));
  await load.more(PER_SECOND);
  const start = performance.now();
  await act();
  const seconds = (performance.now() - start) / 1_000;
  await load.more(PER_SECOND);
  problems.push(...(await load.stop()));
  return seconds;
}

/** Kills a move when it has copied some rows. */
async function killHalfway(): Promise<void> {
  const moving = spawnZoetrope(own, ['migrate'], shared);
  const ended = outcome(moving);
  moving.stderr!.on('data', (line) => {
    if (/: [1-9]\d{3,} of /.test(String(line))) moving.kill('SIGKILL');
  });
  const { signal } = await ended;
  if (signal !== 'SIGKILL') problems.push('the move ended before it was killed');
}

/** Returns a hash of the rows of each table. */
function hashTables(at: string): Map<string, string> {
  const db = new Sqlite(path.join(at, 'zoetrope.db'), { readonly: true });
  const tables = db.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all();
  const hashes = new Map<string, string>();
  for (const table of (tables as string[]).filter((name) => !UNMOVED.test(name))) {
    const rows = db
      .prepare(`select * from "${table}"`)
      .raw()
      .all()
      .map((row) => JSON.stringify(row));
    hashes.set(table, `${rows.length} ${createHash('sha256').update(rows.sort().join('\n')).digest('hex')}`);
  }
  db.close();
  return hashes;
}

/** Sends the queries to a service with each key. @returns the responses */
async function askAll(server: Server, keys: readonly string[], queries: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const [n, q] of queries.entries()) {
    const headers = { authorization: `Bearer ${keys[n % keys.length]}` };
    const response = await server.get(`/api/v1/search?mode=text&q=${encodeURIComponent(q)}`, headers);
    const { items } = (await response.json()) as { items?: { id: string }[] };
    answers.push(`${response.status} ${items?.map(({ id }) => id).join(' ')}`);
  }
  return answers;
}

const differing = (a: readonly string[], b: readonly string[]) => a.filter((each, n) => each !== b[n]).length;

try {
  const keys = await fill();
  const log = readQueryLog(path.join(data, 'queries.tsv.gz')).filter(({ op }) => op === 'search');
  const queries = [...new Set(log.map(({ q }) => q))].slice(0, COMPARED);
  const before = await startServer(own, QUICK);
  const answers = await askAll(before, keys, queries);
  await underLoad(before, killHalfway);
  const there = await underLoad(before, () => run(own, ['migrate', '--json', '--quiet'], shared));
  const moved = hashTables(own);
  await before.stop();
  const between = await startServer(own, shared);
  const wrongThere = differing(answers, await askAll(between, keys, queries));
  const again = await underLoad(between, () => run(back, ['migrate', '--back', '--json', '--quiet'], shared));
  await between.stop();
  const returned = hashTables(back);
  const tables = [...moved.keys()].filter((table) => moved.get(table) !== returned.get(table));
  const after = await startServer(back, QUICK);
  const wrongBack = differing(answers, await askAll(after, keys, queries));
  await after.stop();
  const rows = [...moved.values()].reduce((sum, hash) => sum + Number.parseInt(hash, 10), 0);
  console.log(`${rows} rows in ${moved.size} tables: ${there.toFixed(1)} s there, ${again.toFixed(1)} s back`);
  console.log(`tables that differ: ${tables.length === 0 ? 'none' : tables.join(', ')}`);
  console.log(`${queries.length} searches with ${CLIENTS} keys, different: ${wrongThere} there, ${wrongBack} back`);
  console.log(`${requests} searches at ${PER_SECOND}/s meanwhile, failed: ${problems.length} ${problems[0] ?? ''}`);
  if (tables.length + wrongThere + wrongBack + problems.length > 0) process.exitCode = 1;
} finally {
  await postgres.stop();
}
