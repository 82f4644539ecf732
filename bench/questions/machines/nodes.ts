// Do three services return the same, and how soon after one machine added GIFs?

/*
 *   npm run bench nodes -- DATA-FOLDER [--queries 2000]
 *
 * DATA-FOLDER has media/, media_more/, catalogue.jsonl.gz and queries.tsv.gz. Three services share PostgreSQL and Ceph
 * (or s3rver if Ceph is not installed). Each source is added on a different machine. `agree` is the time from
 * publishing the last build until all services serve it. Then searches from the log are sent to all services, and the
 * responses and originals of the services are compared. Finally, one more GIF is added. `fetched` is the size of the
 * files that a service downloads for that build.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startCeph } from '../../../packages/server/src/platform/blobs/testing/ceph.ts';
import { startS3rver } from '../../../packages/server/src/platform/blobs/testing/s3rver.ts';
import { startPostgres } from '../../../packages/server/src/platform/testing/postgres.ts';
import { writeManifest } from '../../../test/support/catalogue.ts';
import { parts } from '../../../test/support/parts.ts';
import { s3Environment } from '../../../test/support/s3.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { readQueryLog } from '../../support/query-log.ts';

const { values, positionals } = parseArgs({
  options: { queries: { type: 'string', default: '2000' } },
  allowPositionals: true,
});
const [data] = positionals;
const TARGETS = { agree: 10, pull: 3 };
const SERVICES = 3;

if (data === undefined || parts.postgres === undefined) {
  console.log('skipped: needs a folder with real data, and PostgreSQL');
  process.exit(data === undefined ? 2 : 0);
}

using folder = temporaryFolder();
const postgres = await startPostgres(parts.postgres);
const bucket = parts.ceph ? await startCeph() : await startS3rver(path.join(folder.path, 'bucket'));
const env = {
  ...{ ZOETROPE_DATABASE_URL: postgres.url, ...s3Environment(bucket.config) },
  ...{ ZOETROPE_EMBEDDER: 'none', ZOETROPE_BACKGROUND: 'off', ZOETROPE_MEDIA_URL: 'https://media.example' },
};
const folderOf = (n: number) => path.join(folder.path, `machine-${n}`);
const services: Server[] = [];

async function add(n: number, source: string): Promise<void> {
  const start = performance.now();
  const { code, stdout, stderr } = await zoetrope(folderOf(n), ['add', '--json', '--quiet', source], env);
  if (stdout === '') throw new Error(`${code}: ${stderr}`);
  const { added, linked, refused } = JSON.parse(stdout) as { added: number; linked: number; refused: unknown[] };
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `machine ${n} added ${path.basename(source)}: ${added} files, ${linked} links, ${refused.length} refused, ${seconds} s`,
  );
}

const buildOf = async (service: Server) => ((await (await service.get('/healthz')).json()) as { build: string }).build;

/**
 * Waits until all services serve the last build.
 * @param n number of the machine that was the last to add a source
 * @returns the number of seconds since the build was published
 */
async function untilAgreed(n: number): Promise<number> {
  const pointer = path.join(folderOf(n), 'builds', 'current');
  const published = { build: fs.readFileSync(pointer, 'utf8').trim(), at: fs.statSync(pointer).mtimeMs };
  for (;;) {
    const builds = await Promise.all(services.map(buildOf));
    if (builds.every((build) => build === published.build)) return (Date.now() - published.at) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Sends the same request to all services. @returns whether the responses are equal, apart from `gen`, which counts the
 * swaps of a process
 */
async function isSame(target: string): Promise<boolean> {
  const bodies = await Promise.all(services.map(async (service) => (await service.get(target)).arrayBuffer()));
  const [first, ...others] = bodies.map((body) =>
    target.startsWith('/api/')
      ? Buffer.from(
          Buffer.from(body)
            .toString()
            .replace(/"gen":\d+/, ''),
        )
      : Buffer.from(body),
  );
  return others.every((body) => body.equals(first!));
}

async function compare(targets: readonly string[]): Promise<number> {
  let different = 0;
  for (const target of targets) if (!(await isSame(target))) different++;
  return different;
}

/** Returns the size of a build's own segment, or of all segments that a machine has, in megabytes. */
function megabytes(n: number, build = '*'): number {
  const files = fs.globSync(`${folderOf(n)}/builds/${build}/*`);
  return files.reduce((sum, file) => sum + fs.statSync(file).size, 0) / 1e6;
}

try {
  await add(3, path.join(data, 'media'));
  for (let n = 0; n < SERVICES; n++) services.push(await startServer(folderOf(n), env));
  await add(4, path.join(data, 'media_more'));
  await add(5, path.join(data, 'catalogue.jsonl.gz'));
  const agree = await untilAgreed(5);
  const log = readQueryLog(path.join(data, 'queries.tsv.gz')).filter(({ op }) => op === 'search');
  const queries = [...new Set(log.map(({ q }) => q))];
  const asked = queries.slice(0, Number(values.queries));
  const different = await compare(asked.map((q) => `/api/v1/search?mode=text&q=${encodeURIComponent(q)}`));
  const names = fs.readdirSync(path.join(data, 'media')).filter((name) => /^[0-9a-f]{64}\.gif$/.test(name));
  const media = await compare(names.map((name) => `/m/${name}`));
  await add(3, writeManifest(path.join(folder.path, 'more.jsonl'), [{ id: 'more.gif', title: 'one more' }]));
  const pull = await untilAgreed(3);
  const fetched = megabytes(0, await buildOf(services[0]!));
  console.log(`\n${asked.length} searches, different: ${different}; ${names.length} originals, different: ${media}`);
  console.log(`agree: ${agree.toFixed(2)} s (target ${TARGETS.agree}): ${agree <= TARGETS.agree ? 'met' : 'MISSED'}`);
  console.log(
    `one more GIF: ${pull.toFixed(2)} s (target ${TARGETS.pull}): ${pull <= TARGETS.pull ? 'met' : 'MISSED'}, ` +
      `fetched ${(1_000 * fetched).toFixed(1)} kB of ${megabytes(0).toFixed(0)} MB`,
  );
  if (different > 0 || media > 0) process.exitCode = 1;
} finally {
  await Promise.all(services.map((service) => service.stop()));
  await bucket.stop();
  await postgres.stop();
}
