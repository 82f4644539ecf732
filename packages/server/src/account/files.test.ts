import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../base/log.ts';
import { createReplyError } from '../http/reply-error.ts';
import { registerFiles } from './files.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
fs.mkdirSync(path.join(folder, 'built', 'assets'), { recursive: true });
fs.writeFileSync(path.join(folder, 'built', 'index.html'), '<title>Dashboard</title>');
fs.writeFileSync(path.join(folder, 'built', 'assets', 'index-abc.js'), 'export {}');
fs.writeFileSync(path.join(folder, 'secret.js'), 'hidden words');

afterAll(() => fs.rmSync(folder, { recursive: true }));

function serve(files: string, publicUrl = 'https://gifs.example') {
  const app = Fastify();
  app.setErrorHandler(createReplyError(createLog('silent')));
  registerFiles(app, { files, publicUrl });
  return (url: string) => app.inject(url);
}

test.each(['/dashboard', '/dashboard/', '/dashboard/clients/abc'])(
  'the page is at %s, and is revalidated',
  async (url) => {
    const answer = await serve(path.join(folder, 'built'))(url);
    expect(answer.body).toBe('<title>Dashboard</title>');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
      ),
    });
  },
);

test('below a path, the page loads its files from there', async () => {
  const files = path.join(folder, 'below');
  fs.mkdirSync(files);
  fs.writeFileSync(path.join(files, 'index.html'), '<html lang="en"><script src="/dashboard/assets/a.js"></script>');
  const { body } = await serve(files, 'https://example.com/gifs')('/dashboard/review');
  expect(body).toBe('<html data-base="/gifs" lang="en"><script src="/gifs/dashboard/assets/a.js"></script>');
});

test('built files are cached forever', async () => {
  const answer = await serve(path.join(folder, 'built'))('/dashboard/assets/index-abc.js');
  expect(answer.body).toBe('export {}');
  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
});

test.each(['..%2F..%2Fsecret.js', '%2e%2e%2fsecret.js', 'none.js', 'index-abc', ''])(
  'there is no file %j',
  async (name) => {
    const answer = await serve(path.join(folder, 'built'))(`/dashboard/assets/${name}`);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('hidden');
  },
);

test('if the dashboard has not been built, the error explains how to build it', async () => {
  const answer = await serve(path.join(folder, 'nowhere'))('/dashboard');
  expect(answer.statusCode).toBe(404);
  expect(answer.json().error.message).toContain('npm start');
});
