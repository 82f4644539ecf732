// How fast does the service send previews, compared with nginx sending the same files from a folder? (FOLDER of GIFs)
//
// Three servers are measured in turn, round after round: the service with two threads, nginx that serves a folder, and
// nginx in front of the service with the configuration in deploy/nginx. wrk requests all previews in turn, on the same
// two cores. Needs wrk and nginx (Debian: apt-get install wrk nginx libnginx-mod-http-set-misc).

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { SearchResponse } from '@zoetrope/contract';
import { endProcess } from '../../../packages/server/src/platform/testing/end-process.ts';
import { freePort, startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { endWithUsage } from '../../support/data.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '5' } },
});
const [source] = positionals;
if (source === undefined) endWithUsage('serving FOLDER [--seconds 3] [--rounds 5]', 'gifs');
const ROUNDS = Number(values.rounds);
const CORES = 2;
const FILES = 40;

using folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const { code, stderr } = await zoetrope(data, ['add', '--quiet', copyNamed(source)]);
if (code !== 0) console.error(stderr);
const edgePort = await freePort();
await using server = await startServer(data, { ZOETROPE_THREADS: String(CORES), ZOETROPE_EDGE_PORT: String(edgePort) });
const paths = await previewPaths();
const bytes = await copyInto(path.join(folder.path, 'root'));

await using nginxes = new AsyncDisposableStack();
const plain = await startNginx('plain', `server { listen 127.0.0.1:<port>; root ${folder.path}/root; etag off; }`);
const shipped = fs
  .readFileSync('deploy/nginx/zoetrope.conf', 'utf8')
  .replace('listen 80;', 'listen 127.0.0.1:<port>;')
  .replace('127.0.0.1:8081', `127.0.0.1:${edgePort}`)
  .replaceAll('/var/cache/nginx/zoetrope', path.join(folder.path, 'cache'));
fs.mkdirSync(path.join(folder.path, 'cache'));
const edge = await startNginx('edge', shipped);

const script = writeScript();
const servers = { nginx: plain.url, zoetrope: server.url, 'zoetrope behind nginx': edge.url };
const rates = new Map<string, number[]>(Object.keys(servers).map((name) => [name, []]));
for (const url of Object.values(servers)) wrk(url); // fills caches
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, url] of Object.entries(servers)) rates.get(name)!.push(wrk(url));
}

console.log(`${paths.length} previews, ${(bytes / paths.length / 1000).toFixed(1)} kB each, ${ROUNDS} rounds`);
const base = rates.get('nginx')!;
for (const [name, own] of rates) {
  const ratio = median(own.map((rate, round) => rate / base[round]!));
  console.log(`${name.padEnd(24)}${median(own).toFixed(0).padStart(8)} requests/s  ${ratio.toFixed(2)} of nginx`);
}

/** Copies the files under names that share a word, so that one search finds all files. */
function copyNamed(root: string): string {
  const named = path.join(folder.path, 'named');
  fs.mkdirSync(named);
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gif'));
  for (const [n, file] of files.toSorted().slice(0, FILES).entries()) {
    fs.copyFileSync(path.join(root, file), path.join(named, `gif-${n}.gif`));
  }
  return named;
}

async function previewPaths(): Promise<string[]> {
  const found: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const answer = await server.get(`/api/v1/search?q=gif&limit=100&offset=${offset}&mode=text`);
    const { items } = (await answer.json()) as SearchResponse;
    for (const { previews } of items) found.push(new URL(previews.w240.animated ?? previews.w240.still).pathname);
    if (items.length < 100) break;
  }
  if (found.length === 0) throw new Error('none of the files could be ingested');
  return found;
}

async function copyInto(root: string): Promise<number> {
  let total = 0;
  for (const name of paths) {
    const body = Buffer.from(await (await fetch(server.url + name)).arrayBuffer());
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), body);
    total += body.length;
  }
  return total;
}

async function startNginx(name: string, config: string): Promise<{ url: string }> {
  const port = await freePort();
  const own = path.join(folder.path, name);
  fs.mkdirSync(own);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((part) => `${part}_temp_path ${own}/t;`);
  const modules = ['ndk_http_module', 'ngx_http_set_misc_module'];
  const lines = [
    ...modules.map((module) => `load_module /usr/lib/nginx/modules/${module}.so;`),
    `user root; daemon off; worker_processes ${CORES}; pid ${own}/pid; error_log stderr crit; events {}`,
    `http { sendfile on; tcp_nopush on; access_log off; ${temporary.join(' ')}`,
    `types { image/webp gif; image/png png; } ${config.replace('<port>', String(port))} }`,
  ];
  fs.writeFileSync(path.join(own, 'nginx.conf'), lines.join('\n'));
  const child = spawn('/usr/sbin/nginx', ['-e', 'stderr', '-c', path.join(own, 'nginx.conf')], { stdio: 'inherit' });
  nginxes.defer(() => endProcess(child, 'SIGTERM'));
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url + paths[0]!).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url };
}

function writeScript(): string {
  const file = path.join(folder.path, 'paths.lua');
  const list = paths.map((name) => JSON.stringify(name)).join(',');
  const lua = `local paths = {${list}}\nlocal n = 0\nrequest = function()
    n = n + 1\n    return wrk.format("GET", paths[n % #paths + 1])\n  end`;
  fs.writeFileSync(file, lua);
  return file;
}

function wrk(url: string): number {
  const { stdout, status } = spawnSync('wrk', ['-t1', '-c32', `-d${values.seconds}s`, '-s', script, url], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error('wrk did not run; apt-get install wrk');
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)![1]);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}
