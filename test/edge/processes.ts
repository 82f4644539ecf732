import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { freePort } from '../support/server.ts';

/** A running cache in front of the service. */
export interface Edge {
  url: string;
  /** The folder of the edge's files. */
  folder: string;
  /**
   * Returns the number of seconds for which a cached response is fresh, and the number of further seconds for which it
   * can be served stale.
   */
  keeps(address: string): { fresh: number; stale: number } | undefined;
  /** Returns all files that the edge has written, except its cache. */
  written(): string[];
  /** URL for purges, or undefined if the edge takes none. */
  purgeUrl?: string;
  stop(): Promise<void>;
}

/** The ports that an edge uses. */
export interface Ports {
  /** The service's port for edges, or the ports of several services. */
  upstream: number | readonly number[];
  /** The service's main port, to which the edge sends requests for the dashboard. */
  dashboard: number;
  /** The port on which the edge receives purges. */
  purge: number;
}

/** Starts Debian's nginx with the configuration from `deploy/nginx`. Only its ports and folders are replaced. */
export async function startNginx({ upstream, dashboard }: Ports): Promise<Edge> {
  const servers = [upstream].flat().map((service) => `    server 127.0.0.1:${service} fail_timeout=5s;`);
  const folder = makeFolder();
  const port = await freePort();
  const config = fs
    .readFileSync('deploy/nginx/zoetrope.conf', 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('    server 127.0.0.1:8081 fail_timeout=5s;', servers.join('\n'))
    .replace('127.0.0.1:8080', `127.0.0.1:${dashboard}`)
    .replaceAll('/var/cache/nginx/zoetrope', folder.path)
    .replaceAll('/var/log/nginx', folder.path);
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder.path}/t;`);
  const modules = ['ndk_http_module', 'ngx_http_set_misc_module'];
  folder.write(
    'nginx.conf',
    `${modules.map((name) => `load_module /usr/lib/nginx/modules/${name}.so;`).join('\n')}
    daemon off; worker_processes 1; pid ${folder.path}/pid; error_log ${folder.path}/error.log; events {}
    http { access_log ${folder.path}/access.log; ${own.join(' ')}\n${config} }`,
  );
  const process = folder.run('nginx', ['-e', 'stderr', '-c', `${folder.path}/nginx.conf`]);
  const url = `http://127.0.0.1:${port}`;
  await answers(process, url);
  return {
    url,
    folder: folder.path,
    keeps: (address) => keptByNginx(folder.path, address),
    written: () => ['access.log', 'error.log'].map((name) => fs.readFileSync(`${folder.path}/${name}`, 'utf8')),
    stop: () => stop(process, folder),
  };
}

/**
 * Reads nginx's cache file. The header has native machine words. The 2nd is the expiry time, the 6th the storing time.
 */
function keptByNginx(folder: string, address: string): { fresh: number; stale: number } | undefined {
  for (const file of fs.globSync(`${folder}/answers/**/*`)) {
    // The other entries are folders, and files that are still being written.
    if (!/\/[0-9a-f]{32}$/.test(file)) continue;
    const bytes = fs.readFileSync(file);
    if (!bytes.includes(`KEY:  ${address}\n`)) continue;
    const until = bytes.readBigInt64LE(8);
    const stale = bytes.readBigInt64LE(16);
    return { fresh: Number(until - bytes.readBigInt64LE(40)), stale: stale === 0n ? 0 : Number(stale - until) };
  }
  return undefined;
}

/** Starts Varnish with the configuration from `deploy/varnish`. Only its ports are replaced. */
export async function startVarnish({ upstream, dashboard, purge }: Ports): Promise<Edge> {
  const folder = makeFolder();
  const port = await freePort();
  const vcl = fs.readFileSync('deploy/varnish/zoetrope.vcl', 'utf8');
  const [backend] = /^backend machine_1 \{.*?^\}\n/ms.exec(vcl)!;
  const [adding] = /^.*add_backend\(machine_1\);\n/m.exec(vcl)!;
  const ports = [upstream].flat();
  const forEach = (text: string) =>
    ports.map((one, n) => text.replace('machine_1', `machine_${n + 1}`).replace('"8081"', `"${one}"`)).join('');
  const config = vcl
    .replace(backend, forEach(backend))
    .replace(adding, forEach(adding))
    .replace('"8080"', `"${dashboard}"`);
  folder.write('zoetrope.vcl', config);
  const name = `${folder.path}/work`;
  const stores = ['admissions', 'answers', 'media', 'Transient'].flatMap((store) => ['-s', `${store}=default,16m`]);
  const process = folder.run('varnishd', [
    ...['-F', '-n', name, '-T', 'none', '-f', `${folder.path}/zoetrope.vcl`, '-p', 'http_gzip_support=off'],
    ...['-p', logMask()],
    ...['-a', `http=127.0.0.1:${port}`, '-a', `purge=127.0.0.1:${purge}`, ...stores],
  ]);
  const url = `http://127.0.0.1:${port}`;
  await answers(process, url);
  return {
    url,
    folder: folder.path,
    keeps: () => keptByVarnish(name),
    written: () => [execFileSync('varnishlog', ['-d', '-n', name, '-g', 'raw'], { encoding: 'utf8', maxBuffer: 1e9 })],
    purgeUrl: `http://127.0.0.1:${purge}`,
    stop: () => stop(process, folder),
  };
}

/** Returns the log mask in the configuration's README.md, which keeps URLs and addresses out of the log. */
function logMask(): string {
  return /vsl_mask=\S+/.exec(fs.readFileSync('deploy/varnish/README.md', 'utf8'))![0];
}

/** Reads the last lifetimes that the configuration set. The log has no URLs, so it cannot be searched for a URL. */
function keptByVarnish(name: string): { fresh: number; stale: number } | undefined {
  const log = execFileSync('varnishlog', ['-d', '-n', name, '-b', '-i', 'TTL'], { encoding: 'utf8' });
  const last = [...log.matchAll(/TTL +VCL (-?\d+) (-?\d+) /g)].at(-1);
  return last && { fresh: Number(last[1]), stale: Number(last[2]) };
}

type Folder = ReturnType<typeof makeFolder>;

/** Creates a folder that belongs to an unprivileged user. Programs in this folder run as that user. */
function makeFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-edge-'));
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (nobody.uid !== undefined) fs.chownSync(folder, nobody.uid, nobody.gid);
  return {
    path: folder,
    write: (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text),
    run: (program: string, args: string[]) =>
      spawn(`/usr/sbin/${program}`, args, { ...nobody, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] }),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

async function answers(process: ChildProcess, url: string): Promise<void> {
  const complaints: string[] = [];
  process.stderr!.on('data', (chunk) => complaints.push(String(chunk)));
  const isReady = async () => {
    if (process.exitCode !== null) throw new Error(`${process.spawnfile} ended:\n${complaints.join('')}`);
    return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok;
  };
  await vi.waitUntil(isReady, { timeout: 480_000, interval: 50 });
}

async function stop(process: ChildProcess, folder: Folder): Promise<void> {
  await endProcess(process, 'SIGTERM');
  folder.remove();
}
