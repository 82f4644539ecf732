// How many searches that nobody asked before does the service answer in a second, and how long does each take? (DATA-FOLDER QUERY-LOG)

/*
 *   npm run bench uncached DATA-FOLDER QUERY-LOG [--seconds 8] [--rounds 3]
 *
 * Needs wrk. Each different search of the log is requested once, on 1 and on 8 connections, with the cache of responses
 * turned off. The service runs with two threads, like on a machine with two cores, and shares these cores with wrk. The
 * median of the rounds counts. Each round starts the service again, because the service caches the vectors of queries.
 */
import fs from 'node:fs';
import path from 'node:path';
import { normaliseQuery } from '@zoetrope/search';
import { startServer, temporaryFolder } from '../../../test/support/server.ts';
import { endWithUsage } from '../../support/data.ts';
import { type Load, median, option, wrk } from '../../support/load.ts';
import { readQueryLog } from '../../support/query-log.ts';

const [data, log] = process.argv.slice(2);
if (!data || !log) endWithUsage('uncached DATA-FOLDER QUERY-LOG', 'data', 'log');
const SECONDS = option('seconds', 8);
const ROUNDS = option('rounds', 3);

interface Case {
  parameters: string;
  connections: number;
}

const CASES: readonly Case[] = [
  { parameters: 'mode=auto&limit=24', connections: 8 },
  { parameters: 'mode=auto&limit=24', connections: 1 },
  { parameters: 'mode=text&limit=24', connections: 8 },
  { parameters: 'mode=text&limit=1', connections: 8 },
  { parameters: 'mode=text&limit=200', connections: 8 },
];

/** Writes a script that sends the next query with each request. */
function scriptOf(folder: string, queries: readonly string[], parameters: string): string {
  const file = path.join(folder, 'queries.lua');
  const list = path.join(folder, 'queries.txt');
  fs.writeFileSync(list, queries.map((q) => `/api/v1/search?q=${encodeURIComponent(q)}&${parameters}`).join('\n'));
  const lua = `
    local paths, n = {}, 0
    for line in io.lines(${JSON.stringify(list)}) do paths[#paths + 1] = line end
    request = function()
      n = n + 1
      return wrk.format("GET", paths[(n - 1) % #paths + 1])
    end`;
  fs.writeFileSync(file, lua);
  return file;
}

/** Waits until a response uses semantic search. Each try is a new query. */
async function waitForMeaning(get: (path: string) => Promise<Response>): Promise<void> {
  for (let n = 0; ; n++) {
    const { semantic } = (await (await get(`/api/v1/search?q=happy+dance+${n}`)).json()) as { semantic: boolean };
    if (semantic) return;
    if (n === 150) throw new Error(`${data} has no build with vectors of the running embedder`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function measure({ parameters, connections }: Case, queries: readonly string[], folder: string): Promise<Load> {
  await using server = await startServer(data!, { ZOETROPE_THREADS: '2', ZOETROPE_TEST_ANSWER_CACHE_BYTES: '0' });
  await waitForMeaning(server.get);
  const warm = scriptOf(folder, queries.slice(0, 500), parameters);
  const headers = ['Origin: http://localhost'];
  wrk(server.url, { seconds: 2, headers, connections, script: warm });
  const script = scriptOf(folder, queries.slice(500), parameters);
  return wrk(server.url, { seconds: SECONDS, headers, connections, script });
}

using folder = temporaryFolder();
const queries = [
  ...new Set(
    readQueryLog(log)
      .filter(({ op }) => op === 'search')
      .map(({ q }) => normaliseQuery(q)),
  ),
];
console.log(`${queries.length} different searches, two threads, ${SECONDS} s a load, median of ${ROUNDS} rounds`);
console.log(
  ['', 'connections', 'a second', 'p50 ms', 'p99 ms']
    .map((cell, i) => (i ? cell.padStart(13) : cell.padEnd(20)))
    .join(''),
);
for (const each of CASES) {
  const loads: Load[] = [];
  for (let round = 0; round < ROUNDS; round++) loads.push(await measure(each, queries, folder.path));
  const cells = [
    String(each.connections),
    median(loads.map(({ perSecond }) => perSecond)).toFixed(0),
    median(loads.map(({ p50 }) => milliseconds(p50))).toFixed(2),
    median(loads.map(({ p99 }) => milliseconds(p99))).toFixed(2),
  ];
  console.log(each.parameters.padEnd(20) + cells.map((cell) => cell.padStart(13)).join(''));
}

/** Converts a time in wrk's format (812.00us, 3.21ms or 1.02s) to milliseconds. */
function milliseconds(text: string): number {
  const value = Number.parseFloat(text);
  if (text.endsWith('us')) return value / 1000;
  return text.endsWith('ms') ? value : value * 1000;
}
