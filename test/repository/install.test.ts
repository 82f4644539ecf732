import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/server.ts';

/* Dependencies are installed from a registry on this machine, which has one package. */

const folder = temporaryFolder();
const USUAL = '/@small/tool/-/tool-1.0.0.tgz';
const ELSEWHERE = '/files/tool.tgz';
const DESCRIPTION = '/@small%2ftool';

let server: http.Server;
let registry: string;
let archive: Buffer;
/** Paths of the files that the registry has. */
let files: string[];
let asked: string[];

beforeAll(async () => {
  const source = path.join(folder.path, 'tool');
  fs.mkdirSync(source);
  fs.writeFileSync(path.join(source, 'package.json'), JSON.stringify({ name: '@small/tool', version: '1.0.0' }));
  const packed = spawn('npm', ['pack', '--silent'], { cwd: source, stdio: 'ignore' });
  expect(await once(packed, 'exit')).toEqual([0, null]);
  archive = fs.readFileSync(path.join(source, 'small-tool-1.0.0.tgz'));
  server = http.createServer((request, response) => {
    asked.push(request.url!);
    if (files.includes(request.url!)) response.end(archive);
    else if (request.url === DESCRIPTION) response.end(JSON.stringify(description()));
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  asked = [];
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  folder[Symbol.dispose]();
});

const integrity = () => `sha512-${createHash('sha512').update(archive).digest('base64')}`;

function description(): object {
  const version = {
    name: '@small/tool',
    version: '1.0.0',
    dist: { tarball: registry + ELSEWHERE, integrity: integrity() },
  };
  return { name: '@small/tool', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
}

/** Makes a folder whose lock file names the package but no address. @param hash the hash of the package in the lock file */
function project(name: string, hash = integrity()): string {
  const target = path.join(folder.path, name);
  const root = { name, version: '1.0.0', dependencies: { '@small/tool': '1.0.0' } };
  const packages = { '': root, 'node_modules/@small/tool': { version: '1.0.0', integrity: hash } };
  fs.mkdirSync(target);
  fs.writeFileSync(path.join(target, 'package.json'), JSON.stringify(root));
  fs.writeFileSync(path.join(target, 'package-lock.json'), JSON.stringify({ ...root, lockfileVersion: 3, packages }));
  return target;
}

/** Installs as `npm start` does. @param registries settings of npm @returns the exit code */
async function install(target: string, registries: Record<string, string>): Promise<number> {
  const code = `(await import(${JSON.stringify(path.resolve('tools/launch.mjs'))})).npmCi(process.execPath, ${JSON.stringify(target)})`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], npm_config_cache: path.join(target, 'cache'), ...registries },
  });
  return (await once(child, 'exit'))[0];
}

const isInstalled = (target: string) => fs.existsSync(path.join(target, 'node_modules/@small/tool/package.json'));

test('npm gets the address of each package, so it asks for nothing else', async () => {
  files = [USUAL];
  const target = project('usual');
  expect(await install(target, { npm_config_registry: registry })).toBe(0);
  expect([isInstalled(target), asked]).toEqual([true, [USUAL]]);
  expect(fs.readdirSync(target)).not.toContain('npm-shrinkwrap.json');
  expect(fs.readFileSync(path.join(target, 'package-lock.json'), 'utf8')).not.toContain('resolved');
});

test('a scope can have a registry of its own', async () => {
  files = [USUAL];
  const target = project('scoped');
  fs.writeFileSync(path.join(target, '.npmrc'), `@small:registry=${registry}/\n`);
  expect(await install(target, { npm_config_registry: 'http://127.0.0.1:9' })).toBe(0);
  expect([isInstalled(target), asked]).toEqual([true, [USUAL]]);
});

test('a registry that keeps its files elsewhere is asked for the address', async () => {
  files = [ELSEWHERE];
  const target = project('elsewhere');
  expect(await install(target, { npm_config_registry: registry })).toBe(0);
  expect([isInstalled(target), asked]).toEqual([true, [USUAL, DESCRIPTION, ELSEWHERE]]);
});

test('a package with another hash is refused', async () => {
  files = [USUAL, ELSEWHERE];
  const target = project('forged', `sha512-${createHash('sha512').update('other').digest('base64')}`);
  expect(await install(target, { npm_config_registry: registry })).toBe(1);
  expect(isInstalled(target)).toBe(false);
  expect(fs.readdirSync(target)).not.toContain('npm-shrinkwrap.json');
});
