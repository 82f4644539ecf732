import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallGif, writeGifs, writeManifest } from '../support/catalogue.ts';
import { outcome, startServer, temporaryFolder, zoetrope, zoetropeAsNobody } from '../support/server.ts';

const folder = temporaryFolder();
const at = (...names: string[]) => path.join(folder.path, ...names);

afterAll(() => folder[Symbol.dispose]());

interface Summary {
  added: number;
  linked: number;
  documents: number;
  refused: { key: string; reason: string; message: string }[];
}

async function add(data: string, ...sources: string[]): Promise<Summary> {
  const { stdout, stderr, code } = await zoetrope(data, ['add', '--json', '--quiet', ...sources]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Summary;
}

describe('a manifest', () => {
  const lines = [
    '{"id":"one.gif","url":"https://a.example/1.gif","title":"one"}',
    'not json',
    '{"id":"two.gif","url":"https://a.example/2.gif","title":7}',
    '',
    '{"title":"nothing to show"}',
    '{"file":"missing.gif"}',
    '{"file":"here.gif","title":"here"}',
    '{"file":"../outside.gif"}',
    '{"file":"page.gif"}',
    '{"id":"three.gif","url":"https://a.example/3.gif"}',
  ];

  beforeAll(() => {
    fs.writeFileSync(at('here.gif'), smallGif(1));
    fs.writeFileSync(at('page.gif'), '<html>no picture</html>');
    fs.writeFileSync(at('mixed.jsonl'), lines.join('\r\n'));
    fs.writeFileSync(at('mixed.jsonl.gz'), gzipSync(lines.join('\n')));
  });

  it.each(['mixed.jsonl', 'mixed.jsonl.gz'])('%s: invalid lines are reported, the rest is added', async (name) => {
    const summary = await add(at(`data-${name}`), at(name));
    expect(summary).toMatchObject({ added: 1, linked: 2, documents: 3 });
    const messages = Object.fromEntries(summary.refused.map(({ key, message }) => [key, message]));
    const line = (n: number) => messages[`${at(name)}, line ${n}`];
    expect(line(2)).toBe('the line is not JSON');
    expect(line(3)).toBe('title: must be string');
    expect(line(5)).toBe('file or url is required');
    expect(line(8)).toBe("file: must stay inside the manifest's folder");
    expect(messages[`${at(name)}#missing.gif`]).toBe('the file cannot be read (ENOENT)');
    expect(messages[`${at(name)}#page.gif`]).toMatch(/GIF|WebP/);
    expect(summary.refused).toHaveLength(6);
  });

  it('is summarised with counts and reasons', async () => {
    const { stdout } = await zoetrope(at('data-person'), ['add', '--quiet', at('mixed.jsonl')]);
    expect(stdout).toContain('1 file added, 2 linked GIFs read. 3 GIFs can be found');
    expect(stdout).toContain('6 rejected: ');
    expect(stdout).toContain('line 2: the line is not JSON');
  });

  it('that ends in the middle of its gzip data is reported, and the lines before are kept', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ title: `row ${n} ${Math.sin(n)}` }));
    writeManifest(at('long.jsonl'), rows);
    const packed = gzipSync(fs.readFileSync(at('long.jsonl')));
    fs.writeFileSync(at('cut.jsonl.gz'), packed.subarray(0, packed.length / 2));
    const { code, stdout } = await zoetrope(at('data-cut'), ['add', '--quiet', '--json', at('cut.jsonl.gz')]);
    expect(code).toBe(1);
    const { linked, documents, refused } = JSON.parse(stdout) as Summary;
    expect(documents).toBeGreaterThan(1_000);
    expect(documents).toBeLessThan(5_000);
    expect(linked).toBe(documents);
    const message = `the file ends unexpectedly after line ${documents}: unexpected end of file`;
    expect(refused).toMatchObject([{ key: at('cut.jsonl.gz'), reason: 'unreadable_source', message }]);
    expect((await zoetrope(at('data-cut'), ['work', '--quiet'])).code).toBe(0);
    const again = await zoetrope(at('data-cut'), ['add', '--quiet', at('cut.jsonl.gz')]);
    expect(again.stdout.replace(/ \(build .*\)/, '').split('\n')).toEqual([
      `0 files added, ${documents} linked GIFs read. ${documents} GIFs can be found.`,
      '1 rejected: unreadable_source 1',
      `  ${at('cut.jsonl.gz')}: ${message}`,
      '',
    ]);
  });
});

describe('a source', () => {
  it.each([
    ['nowhere', 'there is no such file or folder'],
    ['notes.txt', 'not a folder, a manifest (.jsonl, .ndjson or .json, plain or .gz), or a .gif or .webp file'],
    ['ws://127.0.0.1:1', 'ws://127.0.0.1:1: it cannot be reached'],
  ])('%s is refused with a reason', async (name, message) => {
    fs.writeFileSync(at('notes.txt'), 'hello');
    const { code, stderr } = await zoetrope(at('data-source'), ['add', name.includes(':') ? name : at(name)]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it('that cannot be read is named', async () => {
    fs.mkdirSync(at('locked'), { mode: 0o000 });
    fs.mkdirSync(at('data-locked'), { mode: 0o777 });
    fs.chmodSync(at('data-locked'), 0o777);
    fs.chmodSync(folder.path, 0o755);
    const { code, stderr } = await zoetropeAsNobody(at('data-locked'), ['add', at('locked')]);
    fs.chmodSync(at('locked'), 0o755);
    expect(code).toBe(1);
    expect(stderr).toContain('it cannot be read; check its permissions');
  });

  it('with the same bytes under two names is one GIF with the tags of both', async () => {
    fs.mkdirSync(at('twins', 'dance'), { recursive: true });
    fs.mkdirSync(at('twins', 'party'), { recursive: true });
    fs.writeFileSync(at('twins', 'dance', 'first.gif'), smallGif(77));
    fs.writeFileSync(at('twins', 'party', 'second.gif'), smallGif(77));
    expect(await add(at('data-twins'), at('twins'))).toMatchObject({ added: 1, known: 1, documents: 1 });
    expect(await add(at('data-twins'), at('twins'))).toMatchObject({ added: 0, known: 2, documents: 1 });
  });
});

describe('a data folder', () => {
  it('that cannot be written is named with its variable', async () => {
    fs.writeFileSync(at('a-file'), '');
    const { code, stderr } = await zoetrope(at('a-file'), ['build']);
    expect(code).toBe(1);
    expect(stderr).toContain('(ZOETROPE_DATA) is not writable');
  });

  describe('with a damaged build rebuilds it', () => {
    const data = at('data-damaged');

    beforeAll(() => add(data, writeManifest(at('few.jsonl'), [{ title: 'cat' }, { title: 'dog' }])));

    const damages: [string, string, (bytes: Buffer) => string | Buffer | null][] = [
      ['a bit of a section', 'stored-bytes', (bytes) => bytes.fill(bytes[3]! ^ 1, 3, 4)],
      ['a section that is missing', 'dictionary-terms', () => null],
      ['a truncated manifest.json', 'manifest.json', (bytes) => bytes.subarray(0, bytes.length / 2)],
      ['an empty manifest.json', 'manifest.json', () => ''],
      ['manifest.json is {}', 'manifest.json', () => '{}'],
      ['manifest.json is null', 'manifest.json', () => 'null'],
      ['sizes in manifest.json', 'manifest.json', (bytes) => `${bytes}`.replaceAll(/"bytes": \d+/g, '"bytes": 1e15')],
      ['a pointer out of the folder', '../current', () => '../..'],
      ['an empty pointer', '../current', () => ''],
    ];

    it.each(damages)('%s', async (_, file, damage) => {
      const build = fs.readFileSync(path.join(data, 'builds', 'current'), 'utf8').trim();
      const damaged = path.join(data, 'builds', build, file);
      const content = damage(fs.readFileSync(damaged));
      if (content === null) fs.rmSync(damaged);
      else fs.writeFileSync(damaged, content);
      await using server = await startServer(data, { ZOETROPE_EMBEDDER: 'none' });
      expect(await (await server.get('/api/v1/search?q=cat')).json()).toMatchObject({ count: 1 });
    });
  });

  it('on a full disk reports it, and continues when there is space', async () => {
    writeGifs(at('many'), 60);
    const disk = at('disk');
    fs.mkdirSync(disk);
    // The data folder is on a separate file system in a separate mount namespace. The file system is too small for the
    // work.
    const script = `mount -t tmpfs -o size=700k none ${disk} && "$@"; code=$?; cp -r ${disk}/data ${at('rescued')}; exit $code`;
    const child = spawnInNamespace(script, path.join(disk, 'data'), ['add', '--quiet', at('many')]);
    const { code, stderr } = await outcome(child);
    expect(stderr).toContain('is full');
    expect(code).toBe(1);
    const { documents } = await add(at('rescued'), at('many'));
    expect(documents).toBe(60);
  });
});

function spawnInNamespace(script: string, data: string, args: string[]) {
  const probe = spawnSync('unshare', ['--map-root-user', '--mount', 'true']);
  const flags = probe.status === 0 ? ['--map-root-user', '--mount'] : ['--mount'];
  const main = path.resolve('packages/server/src/main.ts');
  const command = [process.execPath, '--conditions=zoetrope', '--disable-warning=ExperimentalWarning', main, ...args];
  return spawn('unshare', [...flags, 'sh', '-c', script, 'sh', ...command], {
    env: { ...process.env, ZOETROPE_DATA: data, ZOETROPE_STARTER: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
