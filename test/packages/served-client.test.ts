import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import * as own from '../../packages/client/src/served.ts';
import { writeTwo } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, type Server, startServer, temporaryFolder } from '../support/server.ts';

const run = promisify(execFile);

describe('the SDK that a service serves', () => {
  const folder = temporaryFolder();
  let server: Server;

  beforeAll(async () => {
    await prepareData(inject('prepared'), folder.path, writeTwo);
    server = await startServer(`${folder.path}/data`, { ZOETROPE_EMBEDDER: 'none' });
    for (const name of ['gif-client.js', 'gif-client.js.map', 'gif-client.d.ts']) {
      const response = await fetch(`${server.url}/${name}`, { headers: { origin: 'https://app.example' } });
      expect(response.status, name).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      fs.writeFileSync(`${folder.path}/${name}`, await response.text());
    }
  });
  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  test('searches, without anything to install', async () => {
    const program = `import { createClient } from './gif-client.js';
      const headers = ${JSON.stringify(DEVELOPMENT)};
      const local = (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...headers } });
      const { items } = await createClient({ url: process.argv[2], fetch: local }).search('cat');
      console.log(items.map(({ title }) => title).join());`;
    fs.writeFileSync(`${folder.path}/search.mjs`, program);
    const { stdout } = await run(process.execPath, [`${folder.path}/search.mjs`, server.url]);
    expect(stdout).toBe('cat,cat again\n');
  });

  test('has the same exports and types as the package, and names its source', async () => {
    const served = (await import(path.join(folder.path, 'gif-client.js'))) as Record<string, unknown>;
    expect(Object.keys(served).sort()).toEqual(Object.keys(own).sort());
    const sources = ['index.ts', 'served.ts'].map((name) => fs.readFileSync(`packages/client/src/${name}`, 'utf8'));
    const names = [...sources.join('').matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, kind, list]) =>
      list!
        .split(',')
        .flatMap((name) =>
          name.trim() === ''
            ? []
            : [{ name: name.trim().replace('type ', ''), isType: kind !== undefined || name.includes('type ') }],
        ),
    );
    const program = [
      "import * as served from './gif-client.js';",
      `import * as own from '${path.resolve('packages/client/src/served.ts')}';`,
      'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;',
      ...names.map(({ name, isType }, n) => {
        const of = (module: string) => (isType ? `${module}.${name}` : `typeof ${module}.${name}`);
        return `export const same${n}: Same<${of('served')}, ${of('own')}> = true;`;
      }),
      "export const wrong: served.ClientOptions = { ulr: '' };",
    ];
    fs.writeFileSync(`${folder.path}/types.ts`, program.join('\n'));
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
    ];
    const tsc = run(path.resolve('node_modules/.bin/tsc'), [...flags, '--ignoreConfig', `${folder.path}/types.ts`]);
    const { stdout } = await tsc.catch((error: { stdout: string }) => error);
    const lines = stdout.split('\n').filter((line) => line.includes('error'));
    expect(lines).toEqual([expect.stringMatching(/^\S+types\.ts\(\d+,.*'ulr' does not exist in type 'ClientOptions'/)]);
    const map = JSON.parse(fs.readFileSync(`${folder.path}/gif-client.js.map`, 'utf8')) as { sources: string[] };
    expect(map.sources).toContain('../src/client.ts');
    const { headers } = await fetch(`${server.url}/gif-client.js`);
    expect(headers.get('x-typescript-types')).toBe('./gif-client.d.ts');
  });
});
