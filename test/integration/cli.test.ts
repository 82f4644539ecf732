import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { fields, loadConfig } from '../../packages/server/src/config.ts';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { smallGif } from '../support/catalogue.ts';
import { writeFiles } from '../support/catalogues.ts';
import { parts } from '../support/parts.ts';
import { prepareData } from '../support/prepared-data.ts';
import {
  freePort,
  outcome,
  programCommand,
  spawnZoetrope,
  startServer,
  temporaryFolder,
  zoetrope,
} from '../support/server.ts';

const folder = temporaryFolder();
const data = `${folder.path}/data`;
const env = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };

afterAll(() => folder[Symbol.dispose]());

test('prints its version, and suggests the command that was probably meant', async () => {
  const version = await zoetrope(data, ['--version'], env);
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const unknown = await zoetrope(data, ['serv'], env);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("unknown command 'serv'");
  expect(unknown.stderr).toContain('Did you mean serve?');
});

test('serves on the port of its option, which overrides the variable', async () => {
  const [wanted, other] = [await freePort(), await freePort()];
  const child = spawnZoetrope(data, ['serve', '--port', `${wanted}`], { ...env, ZOETROPE_PORT: `${other}` });
  onTestFinished(() => endProcess(child, 'SIGTERM'));
  const statusOf = async () => (await fetch(`http://127.0.0.1:${wanted}/healthz`)).status;
  await expect.poll(() => statusOf().catch(() => 'away')).not.toBe('away');
  await expect(fetch(`http://127.0.0.1:${other}/healthz`)).rejects.toThrow();
});

test('adds a GIF by its URL, as a file or as a link, and names a URL that has none', async () => {
  const site = http.createServer(({ url }, response) => response.end(url!.endsWith('.gif') ? smallGif(7) : 'a page'));
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  onTestFinished(() => void site.close());
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  using other = temporaryFolder();
  const allowed = { ...env, ZOETROPE_FETCH_ALLOW_PRIVATE: 'true' };
  const add = (more: Record<string, string>, ...args: string[]) =>
    zoetrope(other.path, ['add', '--quiet', ...args], more);
  const refused = await add(env, `${base}/a.gif`);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('ZOETROPE_FETCH_ALLOW_PRIVATE') });
  const page = await add(allowed, `${base}/page`);
  expect(page.stderr).toContain(`${base}/page: the file is neither a GIF nor a WebP`);
  expect((await add(allowed, `${base}/happy%20cat.gif`)).stdout).toContain('1 file added');
  expect((await add(allowed, '--link', `${base}/sad-dog.gif`)).stdout).toContain('1 linked GIF read');
  expect(fs.readdirSync(`${other.path}/downloads`)).toEqual([]);
  await using server = await startServer(other.path, { ...allowed, ZOETROPE_LINKED_HTTP: 'show' });
  const found = async (q: string) => {
    const { items } = (await (await server.get(`/api/v1/search?q=${q}`)).json()) as {
      items: { title: string; url: string }[];
    };
    return items.map(({ title, url }) => [title, url.startsWith(base)]);
  };
  expect(await found('cat')).toEqual([['happy cat', false]]);
  expect(await found('dog')).toEqual([['sad dog', true]]);
});

test('reports that a list is empty, and accepts a URL instead of an id', async () => {
  await prepareData(inject('prepared'), folder.path, writeFiles);
  const run = async (...args: string[]) => (await zoetrope(data, args, env)).stdout;
  expect(await run('gif', 'log')).toBe('Nothing has been changed yet.\n');
  expect(await run('reports')).toBe('There are no open reports.\n');
  expect(await run('jobs', '--json')).toMatch(/^\[\{"id":1,/);
  expect(await run('client', 'list')).toBe('There are no clients yet.\n');
  expect(await run('gif', 'log', '--json')).toBe('[]\n');
  expect(await run('status')).toMatch(
    /^service {4}not running\nGIFs {7}6 can be found\nreview {5}nothing waits for you\nbuild {6}b\w{12}\n/,
  );
  const server = await startServer(data, env);
  const { servedBy, gifs, jobs, disk } = JSON.parse(await run('status', '--json'));
  expect(servedBy).toBe(`zoetrope serve (process ${server.process.pid})`);
  expect({ gifs, open: jobs.open }).toEqual({ gifs: { found: 6, catalogue: 6, toReview: 0 }, open: 0 });
  expect(Math.min(disk.media, disk.builds, disk.others)).toBeGreaterThan(0);
  const { items } = (await (await server.get('/api/v1/search?q=harbour')).json()) as {
    items: [{ id: string; url: string; previews: { w240: { still: string } } }];
  };
  await server.stop();
  const [{ id, url, previews }] = items;
  expect(await run('gif', 'hide', url, '--reason', 'not ours')).toContain('Done.');
  expect(await run('gif', 'hide', previews.w240.still)).toContain('Nothing changed');
  expect(await run('gif', 'log', url)).toContain(`hide ${id}: not ours\n`);
  expect(await run('gif', 'undo', '1', '--reason', 'ours after all')).toContain('Done.');
  const [undo, hide] = JSON.parse(await run('gif', 'log', '--json'));
  expect([undo.reason, hide.reason]).toEqual(['ours after all', 'not ours']);
});

test.each([
  ['builds', 'There is no build yet.\n'],
  ['catalogue', 'No catalogue is followed. Use zoetrope add https://HOST.\n'],
  ['languages list', 'No dictionaries added yet. See zoetrope languages add --help.\n'],
  ['nodes', 'No process is using a shared PostgreSQL database (ZOETROPE_DATABASE_URL).\nopen jobs: 0\n'],
  ['operator list', 'The registry has no operators. ZOETROPE_ADMINS can name some.\n'],
  ['relays', 'There are no relays. Use zoetrope add wss://RELAY, or set ZOETROPE_RELAYS.\n'],
  ['relays marks', 'No author has marked GIFs from relays as adult.\n'],
])('in a new data folder, %s says that there is nothing yet', async (command, text) => {
  using other = temporaryFolder();
  expect(await zoetrope(other.path, command.split(' '), env)).toMatchObject({ code: 0, stdout: text });
});

test('keeps the reason for each decision about a client', async () => {
  using other = temporaryFolder();
  const run = async (...args: string[]) => (await zoetrope(other.path, args, env)).stdout;
  const { id } = JSON.parse(await run('client', 'add', 'App', '--json'));
  const key = JSON.parse(await run('key', 'create', id, '--json'));
  const origin = JSON.parse(await run('origin', 'add', id, 'https://app.example', '--json'));
  await run('origin', 'remove', origin.id, '--reason', 'moved away');
  await run('key', 'revoke', key.id, '--reason', 'leaked');
  await run('client', 'suspend', id, '--reason', 'too many requests');
  await run('client', 'approve', id, '--reason', 'they have mended it');
  const { audit } = JSON.parse(await run('client', 'show', id, '--json')) as { audit: { subject: string }[] };
  expect(audit.slice(-4).map(({ subject }) => subject.replace(/^.*: /, ''))).toEqual([
    'moved away',
    'leaked',
    'too many requests',
    'they have mended it',
  ]);
});

test('lists what each import added and refused, and can repeat an import', async () => {
  using other = temporaryFolder();
  const gifs = `${other.path}/gifs`;
  fs.mkdirSync(gifs);
  fs.writeFileSync(`${gifs}/one.gif`, smallGif(1));
  fs.writeFileSync(`${gifs}/two.gif`, smallGif(2));
  fs.writeFileSync(`${gifs}/broken.gif`, 'GIF89a and nothing else');
  const run = async (...args: string[]) => (await zoetrope(`${other.path}/data`, args, env)).stdout;
  expect(await run('jobs')).toBe('Nothing has been added yet.\n');
  expect(await run('add', '--quiet', gifs)).toContain('2 files added, 0 linked GIFs read.');
  fs.writeFileSync(`${gifs}/three.gif`, smallGif(3));
  expect(await run('add', '--quiet', gifs)).toContain('1 file added, 2 were here already, 0 linked');
  const [second, first] = JSON.parse(await run('jobs', '--json'));
  expect(first).toMatchObject({ id: 1, command: [gifs], added: 2, known: 0, linked: 0, refused: 1, open: 0 });
  expect(second).toMatchObject({ id: 2, command: [gifs], added: 1, known: 2, linked: 0, refused: 1, open: 0 });
  expect(second.endedAt).toBeGreaterThanOrEqual(second.startedAt);
  expect(await run('jobs', 'show', '2')).toMatch(/^2 {2}\S+ {2}done in \d+ s: 1 added, .*\n.* {2}\S+broken\.gif: /);
  expect(await run('jobs', 'show', '1')).toContain('1 of the refused files were added again since');
  fs.writeFileSync(`${gifs}/broken.gif`, smallGif(4));
  expect(await run('jobs', 'retry', '2')).toContain('1 file added, 3 were here already');
  const unknown = await zoetrope(`${other.path}/data`, ['jobs', 'show', '9'], env);
  expect(unknown).toMatchObject({ code: 1, stderr: 'There is no run 9; zoetrope jobs lists them\n' });
});

test('asks for the settings, and writes only valid values that differ from the defaults', async () => {
  using other = temporaryFolder();
  const init = async (...lines: string[]) => {
    const [program, ...args] = programCommand(['init']);
    const child = spawn(program!, args, { cwd: other.path });
    child.stdin.end(lines.join('\n'));
    return outcome(child);
  };
  const cut = await init('', 'gifs.example');
  expect(cut).toMatchObject({ code: 1, stderr: 'The questions were not answered, so nothing was written\n' });
  expect(fs.readdirSync(other.path)).toEqual([]);
  const done = await init('', 'gifs.example', 'many', '9000', 'GIFs & "more"', '', '');
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('a whole number from 0 to 65535') });
  expect(loadConfig({}, other.path)).toMatchObject({
    service: { port: 9_000, publicUrl: 'https://gifs.example', operatorName: 'GIFs & "more"' },
    http: { trustedProxies: 1 },
  });
  expect(fs.readFileSync(`${other.path}/zoetrope.toml`, 'utf8')).not.toContain('data');
  expect(await init()).toMatchObject({ code: 1, stderr: expect.stringContaining('has a zoetrope.toml already') });
});

describe('completions', () => {
  const script = async (shell: string) => (await zoetrope(data, ['completion', shell], env)).stdout;
  const complete = async (program: string, ...args: string[]) =>
    (await outcome(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }))).stdout.trim().split(/\s+/);

  test('for bash complete commands, commands below them, and options', async () => {
    const source = await script('bash');
    const words = (line: string) =>
      complete(
        'bash',
        '-c',
        `${source}\nCOMP_WORDS=(zoetrope ${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _zoetrope; echo "\${COMPREPLY[@]}"`,
      );
    expect(await words('sta')).toEqual(['status']);
    expect(await words('gif un')).toEqual(['unblock', 'undo']);
    expect(await words('gif hide --')).toEqual(['--json', '--reason', '--help']);
    expect(await words('add --l')).toEqual(['--link']);
  });

  test.skipIf(!parts.shells)('for fish and zsh are understood by these shells', async () => {
    using other = temporaryFolder();
    const fish = `${await script('fish')}\ncomplete -C 'zoetrope gif un' | string replace -r '\\t.*' ''`;
    expect(await complete('fish', '--no-config', '-c', fish)).toEqual(['unblock', 'undo']);
    fs.writeFileSync(`${other.path}/script`, await script('zsh'));
    // The functions of the line editor are replaced. The replacement prints the choices.
    const zsh = `compdef() { :; }; _describe() { print -l $choices; }; source ${other.path}/script; words=(zoetrope gif ''); CURRENT=3; _zoetrope`;
    expect(await complete('zsh', '-f', '-c', zsh)).toContain('hide:hide');
  });
});

test('prints a manual page with each command and setting', async () => {
  const page = (await zoetrope(data, ['man'], env)).stdout;
  for (const name of ['serve', 'jobs retry', 'gif hide']) expect(page).toContain(`.B zoetrope ${name}`);
  for (const [, , { env: name }] of fields()) expect(page).toContain(`.B ${name}\n`);
});

test.skipIf(!parts.troff)('prints a manual page that troff accepts', async () => {
  using other = temporaryFolder();
  const page = (await zoetrope(data, ['man'], env)).stdout;
  fs.writeFileSync(`${other.path}/page`, page);
  const warnings = await outcome(spawn('groff', ['-man', '-ww', '-z', '-Tutf8', '-K', 'utf8', `${other.path}/page`]));
  expect(warnings).toMatchObject({ code: 0, stderr: '' });
});
