import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const run = promisify(execFile);

interface Block {
  language: string;
  code: string;
  /** The headline above the block. */
  under: string;
}

/** Reads all blocks of the guide, so that no block can be added without a test. */
function readBlocks(): Block[] {
  const blocks: Block[] = [];
  let under = '';
  const guide = fs.readFileSync('docs/build/guide.md', 'utf8');
  for (const [, headline, language, code] of guide.matchAll(/^##+ (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (headline !== undefined) under = headline;
    else blocks.push({ language: language!, code: code!, under });
  }
  return blocks;
}

const GIFS = 60;

describe('each block of the guide runs', () => {
  const blocks = readBlocks();
  const folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  let server: Server;
  let key: string;

  beforeAll(async () => {
    const rows = Array.from({ length: GIFS }, (_, n) => ({
      title: `happy dance cat ${n}`,
      tags: ['cat', 'happy', 'dance'],
    }));
    const manifest = writeManifest(path.join(folder.path, 'gifs.jsonl'), rows);
    await zoetrope(data, ['add', '--quiet', manifest], { ZOETROPE_EMBEDDER: 'none' });
    const added = await zoetrope(data, ['client', 'add', 'App']);
    const id = /is client (\w+)/.exec(added.stdout)![1]!;
    key = /zoe_\w+/.exec((await zoetrope(data, ['key', 'create', id, '--name', 'guide'])).stdout)![0];
    server = await startServer(data, { ZOETROPE_EMBEDDER: 'none' });
  });

  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  /** Saves a program from the guide like a reader, and runs it. @returns the program's output */
  async function runProgram(code: string, after = '', env: Record<string, string> = {}): Promise<string> {
    const file = path.resolve(`node_modules/.cache/guide-${crypto.randomUUID()}.mjs`);
    // Outside a browser, there is no Origin header. So the program is not the development client, and needs a key.
    const keyed = code.replaceAll(
      "createClient({ url: '{{url}}' })",
      `createClient({ url: '{{url}}', apiKey: '${key}' })`,
    );
    fs.writeFileSync(file, `${keyed.replaceAll('{{url}}', server.url)}\n${after}`);
    try {
      const flags = ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'];
      const { stdout } = await run(process.execPath, [...flags, file], { env: { ...process.env, ...env } });
      return stdout;
    } finally {
      fs.rmSync(file);
    }
  }

  const blockOf = (under: string, language = 'js') =>
    blocks.find((block) => block.under === under && block.language === language)!.code;

  test('and each block has a test', () => {
    expect(blocks.map(({ under, language }) => `${under}: ${language}`)).toEqual([
      'Live demo: html',
      'Post a GIF: js',
      'A web page: js',
      'A native app: sh',
      'A WebView app: js',
      'Your own proxy: js',
      'Search, completion, pages: js',
      'Search, completion, pages: js',
      'Attribution: js',
      'Errors: js',
    ]);
  });

  test('the three lines, with a script that the service serves', async () => {
    const code = blockOf('Live demo', 'html').replaceAll('{{url}}', server.url);
    const [, script] = /src="([^"]+)"/.exec(code)!;
    const answer = await fetch(script!);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.text()).toContain('gif-picker');
    // test/e2e/picker.test.ts runs these lines in a browser.
    expect(code).toContain(`<gif-picker service="${server.url}">`);
  });

  test('a note', async () => {
    const after = `import { createClient } from '@zoetrope/client';
      const { items } = await createClient({ url: '${server.url}', apiKey: '${key}' }).search('cat');
      console.log(JSON.stringify(noteWith('hello', items[0])));`;
    const note = JSON.parse(await runProgram(blockOf('Post a GIF'), after));
    expect(note.content).toMatch(/^hello\nhttp/);
    expect(note.tags[0].slice(0, 2)).toEqual(['imeta', `url ${note.content.split('\n')[1]}`]);
  });

  test('a web page', async () => {
    expect((await runProgram(blockOf('A web page'))).match(/happy dance cat/g)).toHaveLength(24);
  });

  test('a native app', async () => {
    const code = blockOf('A native app', 'sh').replaceAll('{{url}}', server.url);
    const { stdout } = await run('sh', ['-c', code], { env: { ...process.env, ZOETROPE_KEY: key } });
    expect(JSON.parse(stdout).items).toHaveLength(24);
  });

  test('a WebView app, with requests from its native side', async () => {
    const code = blockOf('A WebView app').replace("import { CapacitorHttp } from '@capacitor/core';", CAPACITOR);
    const keyed = code.replace("import.meta.env?.VITE_GIF_KEY ?? ''", `'${key}'`);
    const after = "console.log((await gifs.search('cat')).items.length);";
    expect(await runProgram(keyed, after)).toBe('24\n');
  });

  test('a proxy', async () => {
    const after = `proxy.listen(0, '127.0.0.1', async () => {
      const answer = await fetch('http://127.0.0.1:' + proxy.address().port + '/?q=cat', { headers: { origin: 'https://stranger.example' } });
      console.log(answer.status, (await answer.json()).items.length);
      proxy.close();
    });`;
    expect(await runProgram(blockOf('Your own proxy'), after, { ZOETROPE_KEY: key })).toBe('200 24\n');
  });

  test('a session and pages', async () => {
    const [session, pages] = blocks.filter(({ under }) => under === 'Search, completion, pages');
    expect(await runProgram(session!.code)).toContain('loading 0');
    expect(await runProgram(pages!.code)).toBe(`${GIFS}\n`);
  });

  test('the source', async () => {
    expect(await runProgram(blockOf('Attribution'))).toContain('rel="noopener noreferrer">GIFs from ');
  });

  test('an error', async () => {
    expect(await runProgram(blockOf('Errors'))).toMatch(/^validation 400 false .*500/);
  });
});

/** Replaces Capacitor's plugin with fetch. */
const CAPACITOR = `const CapacitorHttp = {
  async get({ url, headers }) {
    const answer = await fetch(url, { headers });
    return { status: answer.status, data: await answer.json(), headers: Object.fromEntries(answer.headers) };
  },
};`;
