import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { smallGif } from '../support/catalogue.ts';
import { outcome, spawnZoetrope, startServer, zoetrope, zoetropeAsNobody } from '../support/server.ts';

/*
 * The real command reads folders and manifests with entries that are not regular files. If a command hangs, it is
 * killed after half a minute, so that its test fails.
 */

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-odd-'));
const at = (...names: string[]) => path.join(folder, ...names);

// Node's own rm cannot follow a path that is too long.
afterAll(() => execFileSync('rm', ['-rf', folder]));

const PATIENCE_MS = 480_000;
const ENV = { ZOETROPE_EMBEDDER: 'none' };

interface Added {
  code: number | null;
  stderr: string;
  added: number;
  documents: number;
  /** Reasons and messages, keyed by the refused path in the test's folder. */
  refused: Record<string, string>;
}

async function add(data: string, ...sources: string[]): Promise<Added> {
  const child = spawnZoetrope(at(data), ['add', '--json', '--quiet', ...sources], ENV);
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const { code, stdout, stderr } = await outcome(child);
  clearTimeout(late);
  const summary = stdout === '' ? { added: 0, documents: 0, refused: [] } : JSON.parse(stdout);
  const refused = summary.refused.map(({ key, reason, message }: Record<string, string>) => [
    key!.replace(`${folder}/`, ''),
    `${reason}: ${message}`,
  ]);
  return { code, stderr, added: summary.added, documents: summary.documents, refused: Object.fromEntries(refused) };
}

/** Creates a device, if the user is allowed to create one. @returns whether the device exists */
function makeDevice(file: string): boolean {
  try {
    execFileSync('mknod', [file, 'c', '1', '5'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function makeSocket(file: string): Promise<net.Server> {
  const server = net.createServer().listen(file);
  await once(server, 'listening');
  return server;
}

describe('a file that is not a regular file', () => {
  test('is reported in a folder, and the rest is added', async () => {
    fs.mkdirSync(at('odd', 'inside'), { recursive: true });
    fs.writeFileSync(at('odd', 'inside', 'cat.gif'), smallGif(1));
    execFileSync('mkfifo', [at('odd', 'pipe.gif')]);
    const socket = await makeSocket(at('odd', 'socket.gif'));
    const hasDevice = makeDevice(at('odd', 'zero.gif'));
    fs.symlinkSync('inside', at('odd', 'folder'));
    fs.symlinkSync('inside/cat.gif', at('odd', 'linked.gif'));
    fs.writeFileSync(at('odd', 'notes.txt'), 'no image');
    const { code, added, refused } = await add('data-odd', at('odd'));
    expect([code, added]).toEqual([0, 1]);
    expect(refused).toEqual({
      'odd/pipe.gif': 'skipped: it is a named pipe, which is not read',
      'odd/socket.gif': 'skipped: it is a socket, which is not read',
      'odd/folder': 'skipped: it is a link, which is not read',
      'odd/linked.gif': 'skipped: it is a link, which is not read',
      ...(hasDevice && { 'odd/zero.gif': 'skipped: it is a device, which is not read' }),
    });
    socket.close();
  });

  test('is rejected as a source, and the next command works', async () => {
    execFileSync('mkfifo', [at('source.gif'), at('source.jsonl')]);
    fs.symlinkSync('/dev/zero', at('endless.gif'));
    for (const [name, kind] of [
      ['source.gif', 'a named pipe'],
      ['source.jsonl', 'a named pipe'],
      ['endless.gif', 'a device'],
    ] as const) {
      const { code, stderr } = await add('data-source', at(name));
      expect([code, stderr]).toEqual([1, expect.stringContaining(`it is ${kind}; only folders and regular files`)]);
    }
    fs.writeFileSync(at('after.gif'), smallGif(2));
    expect(await add('data-source', at('after.gif'))).toMatchObject({ code: 0, documents: 1, refused: {} });
  });

  test('is refused in a manifest, as is a link that leads out of its folder', async () => {
    fs.mkdirSync(at('rows', 'deeper'), { recursive: true });
    fs.writeFileSync(at('secret.gif'), smallGif(3));
    fs.writeFileSync(at('rows', 'deeper', 'dog.gif'), smallGif(4));
    execFileSync('mkfifo', [at('rows', 'pipe.gif')]);
    fs.symlinkSync('/dev/zero', at('rows', 'endless.gif'));
    fs.symlinkSync('../secret.gif', at('rows', 'out.gif'));
    fs.symlinkSync('..', at('rows', 'up'));
    fs.symlinkSync('deeper/dog.gif', at('rows', 'in.gif'));
    const files = ['pipe.gif', 'endless.gif', 'out.gif', 'up/secret.gif', 'deeper', 'in.gif'];
    fs.writeFileSync(at('rows', 'rows.jsonl'), files.map((file) => JSON.stringify({ file })).join('\n'));
    const { code, added, refused } = await add('data-rows', at('rows', 'rows.jsonl'));
    expect([code, added]).toEqual([0, 1]);
    const row = (file: string) => refused[`rows/rows.jsonl#${file}`];
    expect(row('pipe.gif')).toBe('not_a_file: it is a named pipe; only regular files are read');
    expect(row('deeper')).toBe('not_a_file: it is a folder; only regular files are read');
    for (const file of ['endless.gif', 'out.gif', 'up/secret.gif']) {
      expect(row(file), file).toMatch(/^bad_field: file: a link leads to .*, outside the manifest's folder$/);
    }
  });
});

test('the size of a file is checked before it is read', async () => {
  fs.writeFileSync(at('huge.gif'), '');
  fs.truncateSync(at('huge.gif'), 1_900_000_000);
  const { code, refused } = await add('data-huge', at('huge.gif'));
  expect(code).toBe(1);
  expect(refused['huge.gif']).toMatch(/^too_large: the file has 1900000000 bytes; at most \d+ are read \(ZOETROPE_/);
});

test('a manifest with one endless line is reported as one wrong line', async () => {
  fs.writeFileSync(at('endless.jsonl'), '');
  fs.truncateSync(at('endless.jsonl'), 200_000_000);
  fs.appendFileSync(at('endless.jsonl'), '\n{"id":"cat.gif","url":"https://a.example/cat.gif"}\n');
  const { documents, refused } = await add('data-endless', at('endless.jsonl'));
  expect(documents).toBe(1);
  expect(refused['endless.jsonl, line 1']).toMatch(/^too_long:/);
});

describe('a folder', () => {
  test('with a path that is too long is read except for this path', async () => {
    fs.mkdirSync(at('deep'));
    fs.writeFileSync(at('deep', 'a.gif'), smallGif(5));
    fs.writeFileSync(at('deep', 'z.gif'), smallGif(6));
    // A path of this length is too long for a single call. Even root cannot read the end of the path.
    const script = 'n=$(printf %0250d 0); for i in $(seq 20); do mkdir $n && cd -P $n || exit 1; done; echo > in.gif';
    execFileSync('sh', ['-c', script], { cwd: at('deep'), stdio: 'ignore' });
    const { code, added, refused } = await add('data-deep', at('deep'));
    expect([code, added]).toEqual([1, 2]);
    const [reason, ...others] = Object.values(refused);
    expect(others).toEqual([]);
    expect(reason).toContain('unreadable_source: the folder cannot be read (ENAMETOOLONG)');
  });

  test('with unreadable parts is read except for these', async () => {
    fs.mkdirSync(at('locks', 'locked'), { recursive: true });
    fs.writeFileSync(at('locks', 'a.gif'), smallGif(7));
    fs.writeFileSync(at('locks', 'locked.gif'), smallGif(8));
    fs.writeFileSync(at('locks', 'z.gif'), smallGif(9));
    fs.chmodSync(at('locks', 'locked'), 0o000);
    fs.chmodSync(at('locks', 'locked.gif'), 0o000);
    fs.mkdirSync(at('data-locks'));
    fs.chmodSync(at('data-locks'), 0o777);
    fs.chmodSync(folder, 0o755);
    const args = ['add', '--json', '--quiet', at('locks')];
    const { code, stdout } = await zoetropeAsNobody(at('data-locks'), args, ENV);
    expect(code).toBe(1);
    const { added, refused } = JSON.parse(stdout);
    expect(added).toBe(2);
    const messages = refused.map(({ key, message }: Record<string, string>) => [key, message]);
    expect(Object.fromEntries(messages)).toEqual({
      [at('locks', 'locked')]: expect.stringContaining('the folder cannot be read (EACCES)'),
      [at('locks', 'locked.gif')]: 'the file cannot be read (EACCES)',
    });
  });

  test('can have names in another encoding, or with control characters', async () => {
    fs.mkdirSync(at('names'));
    const named = (name: Buffer) => Buffer.concat([Buffer.from(`${at('names')}/`), name]);
    fs.writeFileSync(named(Buffer.from('caf\xe9.gif', 'latin1')), smallGif(10));
    fs.mkdirSync(named(Buffer.from('\xff\xfe', 'latin1')));
    fs.writeFileSync(named(Buffer.from('red\x1b[31m\nalert.gif')), smallGif(11));
    execFileSync('mkfifo', [at('names', 'pipe\x1b[2J')]);
    const { added, refused } = await add('data-names', at('names'));
    expect(added).toBe(1);
    expect(refused).toMatchObject({
      'names/caf\\xe9.gif': 'bad_name: its name is not UTF-8; rename it',
      'names/\\xff\\xfe': 'bad_name: its name is not UTF-8; rename it',
    });
    const { stdout } = await zoetrope(at('data-names'), ['add', '--quiet', at('names')], ENV);
    expect(stdout).toContain('pipe\\x1b[2J: it is a named pipe');
    await using server = await startServer(at('data-names'), ENV);
    const found = (await (await server.get('/api/v1/search?q=alert')).json()) as { items: { title: string }[] };
    expect(found.items.map(({ title }) => title)).toEqual(['red [31m alert']);
  });
});
