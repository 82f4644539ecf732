import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { countGifs } from '../../packages/server/src/catalog/index.ts';
import { loadConfig } from '../../packages/server/src/config.ts';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import {
  CAN_CUT_POWER,
  cutPower,
  type Files,
  readFiles,
} from '../../packages/server/src/platform/testing/power-cut.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { backUp, restore } from '../../packages/server/src/upkeep/backup.ts';
import { checkBackup } from '../../packages/server/src/upkeep/check-backup.ts';
import { writeGifs } from '../support/catalogue.ts';
import { FILES, writeFiles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { outcome, programCommand, spawnZoetrope, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = {
  ZOETROPE_THREADS: '1',
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_RATING: 'off',
  ZOETROPE_CAPTIONS: 'off',
  ZOETROPE_MEDIA_URL: 'https://gifs.example',
};
const TASK = { onProgress: () => {}, signal: new AbortController().signal };
const ALL = 60;
const WORDS = ['happy', 'dance', 'party', 'hap', 'danse', 'nothing'];
const QUERIES = Array.from({ length: 200 }, (_, n) => {
  const word = WORDS[n % WORDS.length];
  if (n % 3 === 0) return `/api/v1/search?q=${word}%20${n}&limit=${1 + (n % 50)}`;
  if (n % 3 === 1) return `/api/v1/search?q=${word}&offset=${n}&mode=text`;
  return `/api/v1/suggest?q=${word}&limit=${1 + (n % 20)}`;
});

const configOf = (data: string) => loadConfig({ ZOETROPE_DATA: data }, path.dirname(data));

describe('a backup that is made while GIFs are added', () => {
  const folder = temporaryFolder();
  const [data, copy, restored] = ['data', 'copy', 'restored'].map((name) => `${folder.path}/${name}`) as [
    string,
    string,
    string,
  ];

  const run = (of: string, ...args: string[]) => zoetrope(of, [...args, '--quiet'], ENV);

  beforeAll(async () => {
    await prepareData(inject('prepared'), folder.path, writeFiles);
    writeGifs(`${folder.path}/all`, ALL);
    for (const name of ['synonyms.txt', 'offensive.txt']) fs.writeFileSync(`${data}/${name}`, '# none yet\n');
  });

  afterAll(() => folder[Symbol.dispose]());

  async function answersOf(of: string): Promise<string[]> {
    await using server = await startServer(of, ENV);
    const answers: string[] = [];
    for (const query of QUERIES) answers.push(await (await server.get(query)).text());
    return answers;
  }

  test('restores the same catalogue, with the same responses', async () => {
    {
      await using _ = await startServer(data, ENV);
      const adding = spawnZoetrope(data, ['add', '--quiet', `${folder.path}/all`], ENV);
      const added = outcome(adding);
      const db = openDatabase(`${data}/zoetrope.db`, { readonly: true });
      await vi.waitUntil(async () => (await countGifs(db)) > FILES, { timeout: 480_000, interval: 20 });
      const made = await run(data, 'backup', copy, '--json');
      expect(made.code, made.stderr).toBe(0);
      expect(JSON.parse(made.stdout)).toMatchObject({ format: 1, damaged: [] });
      expect(JSON.parse(made.stdout).gifs).toBeGreaterThan(FILES);
      await db.destroy();
      expect((await added).code).toBe(0);
    }
    expect(fs.existsSync(`${copy}/media/d`)).toBe(false);
    const checked = await run(restored, 'restore', copy, '--check');
    expect([checked.code, checked.stdout]).toEqual([
      0,
      expect.stringMatching(/is complete and intact: \d+ GIFs, \d+ media/),
    ]);
    expect(fs.existsSync(restored)).toBe(false);
    const back = await run(restored, 'restore', copy, '--json');
    expect(back.code, back.stderr).toBe(0);
    expect(JSON.parse(back.stdout)).toMatchObject({ lost: [], damaged: [] });
    for (const name of ['synonyms.txt', 'offensive.txt']) {
      expect(fs.readFileSync(`${restored}/${name}`, 'utf8')).toBe('# none yet\n');
    }
    // These commands finish the work that the backup interrupted.
    for (const each of [data, restored]) expect((await run(each, 'work')).code).toBe(0);
    const answers = await answersOf(data);
    expect(await answersOf(restored)).toEqual(answers);
    expect(new Set(answers).size).toBeGreaterThan(50);
  });

  test('sends its progress to the service that started it', async () => {
    const [node, ...args] = programCommand(['backup', `${folder.path}/told`]) as [string, ...string[]];
    const env = { ...process.env, ...ENV, ZOETROPE_DATA: data };
    const child = spawn(node, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const told: unknown[] = [];
    child.on('message', (message) => told.push(message));
    expect(await outcome(child)).toMatchObject({ code: 0, stderr: '' });
    const { length: total } = fs.globSync(`${folder.path}/told/media/orig/*/*/*.gif`);
    expect(told.at(-1)).toEqual({ phase: 'originals', done: total, total });
  });

  test('is refused if it would overwrite something', async () => {
    await expect(backUp(configOf(data), copy, { media: 'all', ...TASK })).rejects.toThrow('not empty');
    await expect(restore(configOf(restored), copy, TASK)).rejects.toThrow('not empty');
    const nowhere = `${folder.path}/none`;
    await expect(restore(configOf(nowhere), `${folder.path}/gifs`, TASK)).rejects.toThrow('is not a Zoetrope backup');
    expect(fs.existsSync(nowhere)).toBe(false);
  });

  test('reports damage, and resumes after an interruption', async () => {
    const second = `${folder.path}/second`;
    fs.cpSync(copy, second, { recursive: true });
    // The test damages only files from the first folder, because the copied catalogue can be older than the other
    // files.
    const [damaged, lost] = fs
      .globSync(`${folder.path}/gifs/*.gif`)
      .map((file) => createHash('sha256').update(fs.readFileSync(file)).digest('hex'))
      .flatMap((sha256) => fs.globSync(`${second}/media/orig/*/*/${sha256}.gif`)) as [string, string];
    fs.rmSync(lost);
    const incomplete = await run(`${folder.path}/incomplete`, 'restore', second, '--json');
    expect([incomplete.code, JSON.parse(incomplete.stdout)]).toMatchObject([1, { damaged: [] }]);
    expect(JSON.parse(incomplete.stdout).lost).toHaveLength(1);
    fs.writeFileSync(damaged, 'something else');
    const checked = await run(`${folder.path}/unused`, 'restore', second, '--check', '--json');
    expect([checked.code, JSON.parse(checked.stdout)]).toMatchObject([
      1,
      { damaged: [{ key: path.relative(`${second}/media`, damaged) }], lost: JSON.parse(incomplete.stdout).lost },
    ]);
    // A damaged build is made again, so it is only named.
    expect((await checkBackup(second, TASK)).build).toMatch(/^b/);
    const sections = fs.globSync(`${second}/builds/b*/*`).filter((file) => !file.endsWith('.json'));
    for (const section of sections) fs.writeFileSync(section, Buffer.alloc(fs.statSync(section).size));
    expect((await checkBackup(second, TASK)).build).toBeNull();
    expect((await restore(configOf(`${folder.path}/unbuilt`), second, TASK)).build).toBeNull();
    for (const section of sections) fs.writeFileSync(section, 'damaged');
    expect((await checkBackup(second, TASK)).build).toBeNull();
    const again = `${folder.path}/again`;
    // Files that an interrupted command left there may belong to another build, and the backup may contain no build.
    fs.rmSync(`${second}/builds/current`);
    fs.cpSync(`${copy}/builds`, `${again}/builds`, { recursive: true });
    fs.writeFileSync(`${again}/unfinished`, '');
    await expect(openStore(again)).rejects.toThrow('only partly restored');
    const result = await restore(configOf(again), second, TASK);
    expect([result.damaged.length, result.lost.length]).toEqual([1, 2]);
    expect([result.build, fs.existsSync(`${again}/builds`)]).toEqual([null, false]);
    fs.appendFileSync(`${second}/zoetrope.db`, '.');
    await expect(restore(configOf(`${folder.path}/third`), second, TASK)).rejects.toThrow('the backup is damaged');
    await expect(checkBackup(second, TASK)).rejects.toThrow('the backup is damaged');
    fs.writeFileSync(`${second}/unfinished`, '');
    await expect(restore(configOf(`${folder.path}/third`), second, TASK)).rejects.toThrow('is an unfinished backup');
  });
});

describe.runIf(CAN_CUT_POWER)('a backup on the disk', () => {
  /** Runs a command. @returns the files that the command synced to the disk before it marked the folder as complete */
  async function syncedBefore(data: string, target: string, ...args: string[]): Promise<Set<string>> {
    const notes = `${data}-syncs`;
    const { code, stderr } = await zoetrope(data, [...args, '--quiet'], {
      ...ENV,
      NODE_OPTIONS: `--import=${path.resolve('test/support/faults/note-syncs.mjs')}`,
      ZOETROPE_TEST_SYNCS: notes,
    });
    expect(code, stderr).toBe(0);
    const lines = fs.readFileSync(notes, 'utf8').split('\n');
    const end = lines.indexOf(`remove ${target}/unfinished`);
    expect(end).toBeGreaterThan(0);
    return new Set(lines.slice(0, end).map((line) => line.replace('sync ', '')));
  }

  /** Returns whether the target has content, but no mark that it is unfinished. The target is in a new folder. */
  function looksComplete(files: Files): boolean {
    const names = [...files.keys()].filter((name) => name.split('/').length > 2);
    return names.length > 0 && !names.some((name) => name.endsWith('/unfinished'));
  }

  /** Returns the hashes of files. Files that SQLite makes while it reads are left out. */
  function hashesOf(files: Files): Map<string, string> {
    const own = [...files].flatMap(([name, bytes]) =>
      bytes === null || /-(wal|shm)$/.test(name) ? [] : ([[name, bytes]] as const),
    );
    return new Map(own.map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]));
  }

  test.each(['none', 'originals'] as const)(
    'is whole or marked as unfinished after a power cut, and so is a restored folder (media: %s)',
    async (media) => {
      using folder = temporaryFolder();
      await prepareData(inject('prepared'), folder.path, writeFiles);
      const [data, copy, restored] = ['data', 'copies/new/copy', 'others/new/data'].map(
        (name) => `${folder.path}/${name}`,
      ) as [string, string, string];
      for (const [target, run] of [
        [copy, () => backUp(configOf(data), copy, { media, ...TASK })],
        [restored, () => restore(configOf(restored), copy, TASK)],
      ] as const) {
        const root = path.dirname(path.dirname(target));
        fs.mkdirSync(root);
        const { during, after } = await cutPower(root, run);
        const whole = hashesOf(readFiles(root));
        for (const files of [...during.filter(looksComplete), ...after]) expect(hashesOf(files)).toEqual(whole);
      }
    },
  );

  test('is synced before it is marked as complete, and so is a restored folder', async () => {
    using folder = temporaryFolder();
    const [data, copy, restored] = ['data', 'copy', 'restored'].map((name) => `${folder.path}/${name}`) as [
      string,
      string,
      string,
    ];
    await prepareData(inject('prepared'), folder.path, writeFiles);
    for (const [of, target, ...args] of [
      [data, copy, 'backup', copy],
      [restored, restored, 'restore', copy],
    ] as const) {
      const synced = await syncedBefore(of, target, ...args);
      const files = fs.readdirSync(target, { recursive: true, encoding: 'utf8' }).map((name) => `${target}/${name}`);
      // Media are synced under another name. Then they are renamed in a folder that is also synced.
      const own = files.filter((file) => !file.startsWith(`${target}/media/`) && !/\/media$|-(wal|shm)$/.test(file));
      expect(own.length).toBeGreaterThan(5);
      expect(own.filter((file) => !synced.has(file))).toEqual([]);
      const folders = files.filter((file) => /\/media\/orig\/./.test(file) && fs.statSync(file).isDirectory());
      expect(folders.length).toBeGreaterThan(0);
      expect(folders.filter((file) => !synced.has(file))).toEqual([]);
      expect(synced).toContain(target);
    }
  });
});
