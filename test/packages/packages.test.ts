import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../e2e/browser.ts';
import { bundle } from '../support/bundle.ts';
import { parts } from '../support/parts.ts';
import { temporaryFolder } from '../support/server.ts';

const PACKAGES = ['client', 'picker'] as const;
const TOOLS = path.resolve('tools/packages/node_modules');
const run = promisify(execFile);

describe.skipIf(!parts.packageTools)('what is published', () => {
  const folder = temporaryFolder();
  /** An app of somebody who installed the packages. */
  const app = path.join(folder.path, 'app');

  beforeAll(async () => {
    await run('node_modules/.bin/tsc', ['-b', 'packages/picker']);
    await run('npm', [
      'pack',
      '--pack-destination',
      folder.path,
      ...PACKAGES.flatMap((name) => ['-w', `packages/${name}`]),
    ]);
    for (const name of PACKAGES) install(name);
    // What npm would fetch lies here already.
    for (const from of [path.resolve('node_modules'), TOOLS]) {
      for (const name of fs.readdirSync(from)) {
        if (/^(@lit|lit.*|react.*|scheduler)$/.test(name)) link(path.join(from, name), name);
      }
    }
    fs.writeFileSync(path.join(app, 'package.json'), '{ "type": "module" }');
  });

  afterAll(() => folder[Symbol.dispose]());

  function install(name: string): void {
    const target = path.join(app, 'node_modules/@zoetrope', name);
    fs.mkdirSync(target, { recursive: true });
    const [archive] = fs.globSync(path.join(folder.path, `zoetrope-${name}-*.tgz`));
    execFileSync('tar', ['-xzf', archive!, '-C', target, '--strip-components=1']);
  }

  function link(from: string, name: string): void {
    const to = path.join(app, 'node_modules', name);
    if (!fs.existsSync(to)) fs.symlinkSync(from, to);
  }

  function write(name: string, text: string): string {
    const file = path.join(app, name);
    fs.writeFileSync(file, text);
    return file;
  }

  it.each(PACKAGES)('%s has nothing that publint or attw finds wrong', async (name) => {
    const target = path.resolve('packages', name);
    await run(`${TOOLS}/.bin/publint`, ['--strict', target]);
    const [archive] = fs.globSync(path.join(folder.path, `zoetrope-${name}-*.tgz`));
    await run(`${TOOLS}/.bin/attw`, [archive!, '--profile', 'esm-only']);
    const files = fs.globSync('**/*', { cwd: path.join(app, 'node_modules/@zoetrope', name) });
    expect(files).toContain('dist/index.js');
    expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
  });

  it('runs in Node, on a server that renders React too', async () => {
    const file = write(
      'server.js',
      `import { createClient, toImeta } from '@zoetrope/client';
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      import { GifPicker } from '@zoetrope/picker/react';
      console.log(createClient({ url: 'https://gifs.example/' }).url, typeof toImeta);
      console.log(renderToString(createElement(GifPicker, { service: 'https://gifs.example', onPick() {} })));`,
    );
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout.split('\n')).toEqual([
      'https://gifs.example function',
      '<gif-picker service="https://gifs.example"></gif-picker>',
      '',
    ]);
  });

  describe.skipIf(!parts.chromium)('in a browser', () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await launchBrowser();
    });

    afterAll(() => browser?.close());

    it('is a component of a React app that Vite bundles', async () => {
      const entry = write(
        'app.js',
        `import { createElement } from 'react';
        import { createRoot } from 'react-dom/client';
        import { GifPicker } from '@zoetrope/picker/react';
        window.heard = [];
        createRoot(document.body).render(createElement(GifPicker, {
          service: 'http://localhost',
          className: 'mine',
          topics: [{ label: 'Morning', query: 'gm' }],
          onPick: ({ text }) => heard.push(text),
          onClose: () => heard.push('closed'),
        }));`,
      );
      const page = await browser.newPage();
      await page.route('**/*', (route) => route.fulfill({ status: 404 }));
      await page.route('http://app.example/', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><script>process = { env: {} }</script>' }),
      );
      await page.goto('http://app.example/');
      await page.addScriptTag({ type: 'module', content: await bundle(entry) });
      await page.locator('gif-picker.mine').getByRole('button', { name: 'Morning' }).waitFor();
      await page.locator('gif-picker').evaluate((picker) => {
        picker.dispatchEvent(new CustomEvent('gif-pick', { detail: { text: 'a GIF' } }));
      });
      await page.getByRole('combobox').press('Escape');
      expect(await page.evaluate('heard')).toEqual(['a GIF', 'closed']);
    });
  });
});
