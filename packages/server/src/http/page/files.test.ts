import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../../base/log.ts';
import { createReplyError } from '../reply-error.ts';
import { registerFile } from './files.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Returns the URL of a file with this text. Without a text, there is no such file. */
function fileOf(name: string, text?: string): URL {
  const file = path.join(folder, name);
  if (text !== undefined) fs.writeFileSync(file, text);
  return pathToFileURL(file);
}

function serve(...[at, files, more]: [at: `/${string}.js`, files: URL | URL[], more?: Record<string, string>]) {
  const app = Fastify();
  app.setErrorHandler(createReplyError(createLog('silent')));
  registerFile(app, at, files, more);
  return () => app.inject(at);
}

test('a script is served with all its parts in order, and pages of other sites can load it', async () => {
  const get = serve('/whole.js', [fileOf('a.js', 'one;'), fileOf('b.js', 'two;')], {
    'x-typescript-types': './a.d.ts',
  });
  const { statusCode, body, headers } = await get();
  expect([statusCode, body]).toEqual([200, 'one;two;']);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-typescript-types': './a.d.ts',
  });
});

test.each([
  ['css', 'text/css; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['map', 'application/json; charset=utf-8'],
  ['ts', 'application/typescript; charset=utf-8'],
] as const)('a file that ends in .%s has the type %s', async (ending, type) => {
  const app = Fastify();
  registerFile(app, `/file.d.${ending}`, fileOf(`file.${ending}`, 'x'));
  expect((await app.inject(`/file.d.${ending}`)).headers['content-type']).toBe(type);
});

test('if a script has not been built, the error explains how to build it, and the script is there after that', async () => {
  const get = serve('/late.js', fileOf('late.js'));
  const missing = await get();
  expect(missing.statusCode).toBe(404);
  expect(missing.json().error.message).toContain('npm start');
  fileOf('late.js', 'built;');
  expect((await get()).body).toBe('built;');
});

test('a file that cannot be read is an error of the service, and not one that has to be built', async () => {
  fs.mkdirSync(path.join(folder, 'folder.js'));
  expect((await serve('/folder.js', fileOf('folder.js'))()).statusCode).toBe(500);
});
