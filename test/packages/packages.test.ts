import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../e2e/browser.ts';
import { bundle } from '../support/bundle.ts';
import { writeGifs } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { App, PUBLISHED, TOOLS } from './app.ts';
import { type Host, postNote, search, serveFiles } from './host.ts';
import { serveNothing, startProxy } from './proxy.ts';

const run = promisify(execFile);
const PLAIN = { ZOETROPE_EMBEDDER: 'none' };
const GIFS = 3;
/** The picker in the package, for pages without a bundler. */
const INSTALLED = '/node_modules/@zoetrope/picker/bundle/gif-picker.js';
/** The strictest compiler settings that a Vue app can use. */
const VUE = {
  compilerOptions: {
    ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
    ...{ strict: true, noEmit: true, skipLibCheck: true, jsx: 'preserve', jsxImportSource: 'vue', types: [] },
  },
  vueCompilerOptions: { strictTemplates: true },
};

describe.skipIf(!parts.packageTools)('the published packages', () => {
  const folder = temporaryFolder();
  let app: App;
  let service: Server;
  let key: string;

  beforeAll(async () => {
    [app, { service, key }] = await Promise.all([App.install(path.join(folder.path, 'packed')), serve()]);
  });

  afterAll(async () => {
    await service?.stop();
    folder[Symbol.dispose]();
  });

  /** Starts a service with a few GIFs, and makes a key for clients at localhost other than browsers. */
  async function serve(): Promise<{ service: Server; key: string }> {
    const [data, gifs] = ['data', 'gifs'].map((name) => path.join(folder.path, name)) as [string, string];
    writeGifs(gifs, GIFS);
    const { code, stderr } = await zoetrope(data, ['add', '--quiet', gifs], PLAIN);
    expect([code, stderr]).toEqual([0, '']);
    const added = await zoetrope(data, ['client', 'add', 'App']);
    const id = /is client (\w+)/.exec(added.stdout)![1]!;
    const created = await zoetrope(data, ['key', 'create', id, '--name', 'examples']);
    const limits = { ZOETROPE_RATES: 'similar=1' };
    return { service: await startServer(data, { ...PLAIN, ...limits }), key: /zoe_\w+/.exec(created.stdout)![0] };
  }

  it.each(PUBLISHED)('pass publint and attw: %s', async (name) => {
    await run(`${TOOLS}/.bin/publint`, ['--strict', path.resolve('packages', name)]);
    await run(`${TOOLS}/.bin/attw`, [app.archive(name), '--profile', 'esm-only']);
    const files = fs.globSync('**/*', { cwd: path.join(app.path, 'node_modules/@zoetrope', name) });
    expect(files).toContain('dist/index.js');
    expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
  });

  it('run in Node, and on a server that renders React', async () => {
    const file = app.write(
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

  it.each(['react', 'svelte', 'capacitor', 'node-proxy', 'html'])(
    'the example %s installs in an empty folder as its README says, and builds',
    async (name) => {
      const root = path.join(folder.path, 'as-told');
      fs.mkdirSync(`${root}/dist`, { recursive: true });
      for (const one of PUBLISHED) fs.copyFileSync(app.archive(one), `${root}/dist/${path.basename(app.archive(one))}`);
      const example = `${root}/examples/${name}`;
      const isSource = (file: string) => !/node_modules|dist|package-lock/.test(path.relative('examples', file));
      fs.cpSync(`examples/${name}`, example, { recursive: true, filter: isSource });
      const npm = (...args: string[]) => run('npm', [...args, '--no-fund', '--no-audit'], { cwd: example });
      await npm('install');
      const { scripts, dependencies = {} } = JSON.parse(fs.readFileSync(`${example}/package.json`, 'utf8'));
      const imports = Object.keys(dependencies).filter((one) => one === '@zoetrope/client');
      for (const one of imports) await run(process.execPath, ['--eval', `import('${one}')`], { cwd: example });
      if (scripts.build === undefined) return;
      await npm('run', 'build');
      expect(fs.existsSync(`${example}/dist/index.html`)).toBe(true);
    },
  );

  it.each(['composer.css', 'note.ts'])('examples have the same %s, so that each can be copied alone', (name) => {
    const copies = fs.globSync(`examples/*/{.,src}/${name}`).map((file) => fs.readFileSync(file, 'utf8'));
    expect(copies.length).toBeGreaterThan(2);
    expect(new Set(copies).size).toBe(1);
  });

  describe('the types', () => {
    /** Runs a type checker and returns the errors, each reduced to the groups of this regular expression. */
    async function complaintsOf(command: string[], cwd: string, line: RegExp): Promise<string[]> {
      const [program, ...args] = command;
      const { stdout } = await run(program!, args, { cwd }).catch((error: { stdout: string }) => error);
      return [...stdout.matchAll(line)].map(([, ...found]) => found.join(' '));
    }

    it.each(['react', 'capacitor'])('fit the example for %s', async (name) => {
      const line = /^(\S+)\(\d.*?: error (.*)$/gm;
      expect(await complaintsOf([path.resolve('node_modules/.bin/tsc')], app.copyExample(name), line)).toEqual([]);
    });

    it('describe attributes and events to Svelte', async () => {
      const example = app.copyExample('svelte');
      app.write(
        'svelte/src/wrong.svelte',
        `<script lang="ts">import '@zoetrope/picker/svelte';</script>
        <gif-picker service={1}></gif-picker>
        <gif-picker></gif-picker>
        <gif-picker service="" layout="diagonal" topics={[{ label: 'gm' }]}></gif-picker>
        <gif-picker service="" sevice=""></gif-picker>
        <gif-picker service="" class="mine" ongif-pick={({ detail }) => detail.nothing} ongif-close={() => {}}></gif-picker>`,
      );
      const line = /"ERROR","filename":"([^"]+)","start":\{"line":(\d+).*"code":(\d+)/g;
      const command = [`${TOOLS}/.bin/svelte-check`, '--output', 'machine-verbose'];
      const found = [['1 2322'], ['2 2345'], ['3 2322', '3 2741'], ['4 2353'], ['5 2339']].flat();
      expect(await complaintsOf(command, example, line)).toEqual(found.map((at) => `src/wrong.svelte ${at}`));
    });

    it('describe attributes and events to Vue', async () => {
      app.write('vue/tsconfig.json', JSON.stringify(VUE));
      const picker = (attributes: string) => `<gif-picker ${attributes} />\n`;
      const script = `<script setup lang="ts">import '@zoetrope/picker/vue'; const [url, topics] = ['', []];</script>\n`;
      const right = `:service="url" :topics class="mine" @gif-pick="({ detail }) => detail.text.trim()" @gif-close="() => {}"`;
      const wrong = [
        ':service="1"',
        '',
        'service="" layout="diagonal"',
        'service="" sevice=""',
        'service="" @gif-pick="({ detail }) => detail.nothing"',
      ];
      app.write('vue/right.vue', `${script}<template>${picker(right)}</template>`);
      app.write('vue/wrong.vue', `${script}<template>\n${wrong.map(picker).join('')}</template>`);
      app.write(
        'vue/both.tsx',
        `import '@zoetrope/picker/vue';
        export const right = <gif-picker service="" onGifPick={({ detail }) => detail.text.trim()} key="a" />;
        export const wrong = <gif-picker service={1} onGifPick={({ detail }) => detail.nothing} />;`,
      );
      const command = [`${TOOLS}/.bin/vue-tsc`, '-p', '.'];
      const line = /^(\S+)\((\d+),\d+\): error TS(\d+)/gm;
      expect(await complaintsOf(command, path.join(app.path, 'vue'), line)).toEqual([
        'both.tsx 3 2322',
        'both.tsx 3 2339',
        ...['3 2322', '4 2345', '5 2322', '6 2561', '7 2339'].map((at) => `wrong.vue ${at}`),
      ]);
    });
  });

  describe('a proxy on a server', () => {
    it('sends its key for its users without revealing it', async () => {
      await using proxy = await startProxy(app.copyExample('node-proxy'), service.url, key);
      const paths = ['search?q=happy&limit=2', 'suggest?q=hap', 'search?q=', 'search?q=a&limit=999'];
      const answers = await Promise.all(
        paths.map((query) =>
          fetch(`${proxy.url}/api/v1/${query}`, { headers: { origin: 'https://stranger.example' } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400]);
      const [found, completed, ...refused] = await Promise.all(answers.map((answer) => answer.json()));
      expect(found).toMatchObject({ q: 'happy', count: GIFS, limit: 2, items: [{ format: 'gif' }, { format: 'gif' }] });
      expect(completed.terms.map(({ term }: { term: string }) => term)).toContain('happy');
      expect(refused.map(({ error }) => error.code)).toEqual(['validation', 'validation']);
      const headers = answers.map((answer) => [...answer.headers]);
      expect(JSON.stringify([headers, found, completed, refused])).not.toContain(key);
      expect(proxy.said()).toBe('');
    });

    it('works as a service for the SDK, and forwards errors from the real one', async () => {
      await using proxy = await startProxy(app.copyExample('node-proxy'), service.url, key);
      const file = app.write(
        'asks.js',
        `import { createClient } from '@zoetrope/client';
        const gifs = createClient({ url: process.argv[2], retries: 0 });
        const { items: [gif] } = await gifs.search('party');
        const similar = () => gifs.similar(gif.id, { limit: 1 }).then(({ items }) => items.length, ({ code, status, retryAfter }) => ({ code, status, retryAfter }));
        const missing = await gifs.search('x', { mode: 'semantic' }).catch(({ code, status }) => ({ code, status }));
        console.log(JSON.stringify({ attribution: await gifs.attribution(), missing, similar: [await similar(), await similar()] }));`,
      );
      const { attribution, missing, similar } = JSON.parse((await run(process.execPath, [file, proxy.url])).stdout);
      expect(attribution.text).toMatch(/^GIFs from ./);
      expect(missing).toEqual({ code: 'embedder_unavailable', status: 503 });
      expect(similar).toEqual([1, { code: 'rate_limited', status: 429, retryAfter: expect.any(Number) }]);
      expect((await fetch(`${proxy.url}/elsewhere`)).status).toBe(404);
    });

    it('also reports an unknown key to its operator', async () => {
      await using proxy = await startProxy(app.copyExample('node-proxy'), service.url, 'zoe_unknown');
      const answer = await fetch(`${proxy.url}/api/v1/search?q=happy`);
      expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'client_not_registered' } }]);
      expect(proxy.said()).toContain('Is ZOETROPE_KEY right?');
    });

    it('aborts its request when the caller hangs up', async () => {
      await using silent = await serveNothing();
      await using proxy = await startProxy(app.copyExample('node-proxy'), silent.url, key);
      const caller = new AbortController();
      const asked = fetch(`${proxy.url}/api/v1/search?q=happy`, { signal: caller.signal });
      const closed = once(await silent.asked, 'close');
      caller.abort();
      await expect(asked).rejects.toThrow('aborted');
      expect(await closed).toEqual([expect.any(Boolean)]);
      expect(proxy.said()).toBe('');
    });
  });

  describe.skipIf(!parts.chromium)('in a browser', () => {
    let browser: Browser;
    let host: Host;

    beforeAll(async () => {
      [browser, host] = await Promise.all([launchBrowser(), serveFiles(app.path)]);
    });

    afterAll(() => Promise.all([browser?.close(), host?.stop()]));

    /** Builds an example once, like its `npm run build`. */
    async function build(name: string): Promise<string> {
      const page = `${host.origin}/${name}/dist/index.html`;
      if (fs.existsSync(path.join(app.path, name, 'dist'))) return page;
      const env = { ...process.env, VITE_GIF_SERVICE: service.url, VITE_GIF_KEY: key };
      await run(`${TOOLS}/.bin/vite`, ['build', '--base', './'], { cwd: app.copyExample(name), env });
      return page;
    }

    /** Returns the plain HTML example, with the picker from this URL. */
    function plainPage(script: string): string {
      const page = path.join(app.copyExample('html'), 'index.html');
      const text = fs.readFileSync(page, 'utf8').replace('http://127.0.0.1:8080/gif-picker.js', script);
      fs.writeFileSync(page, text.replaceAll('http://127.0.0.1:8080', service.url));
      return `${host.origin}/html/index.html`;
    }

    it.each([
      ['plain HTML, with the picker from the service', 'light', () => plainPage(`${service.url}/gif-picker.js`)],
      ['plain HTML, with the picker from the package', 'dark', () => plainPage(INSTALLED)],
      ['React', 'light', () => build('react')],
      ['Svelte', 'dark', () => build('svelte')],
      ['Capacitor, in a browser', 'dark', () => build('capacitor')],
    ] as const)('the example for %s puts a GIF into a note', async (_, colorScheme, make) => {
      const page = await browser.newPage({ colorScheme });
      await page.goto(await make());
      const note = await postNote(page, 'hello', 'happy dance');
      const [text, url] = note.content.split('\n');
      expect([note.kind, text]).toEqual([1, 'hello']);
      expect(url).toMatch(new RegExp(`^${service.url}/.+\\.gif$`));
      expect(note.tags).toEqual([expect.arrayContaining(['imeta', `url ${url}`, 'm image/gif', 'dim 8x8'])]);

      await page.getByLabel('What is going on?').fill('without');
      await page.getByRole('button', { name: 'Post' }).click();
      await page.locator('pre', { hasText: 'without' }).waitFor();
      expect(await page.locator('pre').innerText()).not.toContain('imeta');

      await expectAccessible(page);
      await page.close();
    });

    it('the Capacitor example sends requests from native code, with the key of the app', async () => {
      const page = await browser.newPage();
      await page.addInitScript("window.CapacitorCustomPlatform = { name: 'ios', plugins: {} }");
      const asked: Record<string, string | undefined>[] = [];
      // Like the native side, this route sends the given headers, and no Origin.
      await page.route(/\/api\/|\.well-known/, async (route) => {
        const { authorization } = route.request().headers();
        asked.push({ path: new URL(route.request().url()).pathname, authorization });
        const answer = await fetch(route.request().url(), { headers: { authorization: authorization! } });
        const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
        await route.fulfill({ status: answer.status, headers, body: await answer.text() });
      });
      await page.goto(await build('capacitor'));
      expect((await postNote(page, '', 'happy dance')).content).toMatch(/^http.*\.gif$/);
      expect(asked).toContainEqual({ path: '/api/v1/search', authorization: `Bearer ${key}` });
      expect(asked.filter(({ authorization }) => authorization === undefined)).toEqual([]);
      await page.close();
    });

    it.each([
      ['React', REACT, 'GIF-PICKER'],
      ['Vue', VUE_APP, 'BODY'],
    ])('the picker gets topics from %s and sends it events', async (_, code, focused) => {
      const page = await browser.newPage();
      await page.route('**/*', (route) => route.fulfill({ status: 404 }));
      await page.route('http://app.example/', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><script>process = { env: {} }</script>' }),
      );
      await page.goto('http://app.example/');
      await page.addScriptTag({ type: 'module', content: await bundle(app.write('app.js', code)) });
      await page.locator('gif-picker.mine').getByRole('button', { name: 'Morning' }).waitFor();
      // Only the picker of React was told to take the focus.
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe(focused);
      await page.locator('gif-picker').evaluate((picker) => {
        picker.dispatchEvent(new CustomEvent('gif-pick', { detail: { text: 'a GIF' } }));
      });
      await page.getByRole('combobox').press('Escape');
      expect(await page.evaluate('heard')).toEqual(['a GIF', 'closed']);
      await page.close();
    });
  });
});

/** Expects no axe violations in the open panel, and that Escape leads back to the text. */
async function expectAccessible(page: Page): Promise<void> {
  const gif = await search(page, 'happy dance');
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
  );
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
  // In the picker, Escape first focuses the search field, then clears it, then closes the panel.
  await gif.focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
}

const REACT = `
  import { createElement } from 'react';
  import { flushSync } from 'react-dom';
  import { createRoot } from 'react-dom/client';
  import { GifPicker } from '@zoetrope/picker/react';
  window.heard = [];
  const root = createRoot(document.body);
  const render = (onPick) => flushSync(() => root.render(createElement(GifPicker, {
    service: 'http://localhost',
    className: 'mine',
    autoFocus: true,
    topics: [{ label: 'Morning', query: 'gm' }],
    onPick,
    onClose: () => heard.push('closed'),
  })));
  render(() => heard.push('the callback of the first rendering'));
  render(({ text }) => heard.push(text));`;

const VUE_APP = `
  import { createApp, h } from 'vue';
  import '@zoetrope/picker/vue';
  window.heard = [];
  createApp(() => h('gif-picker', {
    service: 'http://localhost',
    class: 'mine',
    topics: [{ label: 'Morning', query: 'gm' }],
    onGifPick: ({ detail }) => heard.push(detail.text),
    onGifClose: () => heard.push('closed'),
  })).mount(document.body);`;
