import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none' };
const folder = temporaryFolder();
const data = `${folder.path}/data`;
let server: Server;
/** The older build. */
let older: string;

interface Found {
  build: string;
  items: { id: string; title: string }[];
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await zoetrope(data, args, ENV);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function add(name: string, rows: { title: string; adult?: boolean }[]): Promise<void> {
  const file = `${folder.path}/${name}.jsonl`;
  const told = rows.map((row) => ({ ...row, url: `https://gifs.example/${row.title.replace(' ', '-')}.gif` }));
  fs.writeFileSync(file, told.map((row) => JSON.stringify({ ...row, width: 9, height: 9 })).join('\n'));
  await run('add', '--quiet', file);
}

async function find(): Promise<Found> {
  const response = await server.get('/api/v1/search?q=happy&limit=50');
  expect(response.status).toBe(200);
  return (await response.json()) as Found;
}

const titlesOf = ({ items }: Found) => items.map(({ title }) => title).sort();

/** Waits until searches find the GIFs with these titles. */
async function untilFound(...titles: string[]): Promise<Found> {
  return vi.waitFor(
    async () => {
      const found = await find();
      expect(titlesOf(found)).toEqual(titles.toSorted());
      return found;
    },
    { timeout: 480_000, interval: 100 },
  );
}

async function idOf(title: string): Promise<string> {
  return (await find()).items.find((item) => item.title === title)!.id;
}

/** Returns the titles that searches found while something else was done. */
async function seenDuring(act: () => Promise<unknown>): Promise<Set<string>> {
  const seen = new Set<string>();
  let isOver = false;
  const load = (async () => {
    while (!isOver) for (const title of titlesOf(await find())) seen.add(title);
  })();
  await act().finally(() => {
    isOver = true;
  });
  await load;
  return seen;
}

beforeAll(async () => {
  await add('first', [
    { title: 'happy one' },
    { title: 'happy two' },
    { title: 'happy three' },
    { title: 'happy five' },
    { title: 'happy nine' },
  ]);
  server = await startServer(data, ENV);
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

test('an older build is served under load, without the GIFs that were hidden or rated adult since then', async () => {
  older = (await find()).build;
  await add('second', [{ title: 'happy four' }, { title: 'happy three', adult: true }]);
  await untilFound('happy one', 'happy two', 'happy four', 'happy five', 'happy nine');
  await run('gif', 'hide', await idOf('happy two'));
  await untilFound('happy one', 'happy four', 'happy five', 'happy nine');
  const seen = await seenDuring(async () => {
    await run('builds', 'use', older);
    await untilFound('happy one', 'happy five', 'happy nine');
  });
  expect([...seen].sort()).toEqual(['happy five', 'happy four', 'happy nine', 'happy one']);
  expect((await find()).build).toBe(older);
});

test('during the hold, changed GIFs are hidden, and new ones are added but not shown', async () => {
  await run('gif', 'edit', await idOf('happy one'), '--title', 'happy edited');
  await untilFound('happy five', 'happy nine');
  const { builds } = JSON.parse(await run('builds', 'list', '--json'));
  const seen = await seenDuring(async () => {
    await add('third', [{ title: 'happy six' }, { title: 'happy nine', adult: true }]);
    await untilFound('happy five');
  });
  expect([...seen].sort()).toEqual(['happy five', 'happy nine']);
  expect((await find()).build).toBe(older);
  const { code, stderr } = await zoetrope(data, ['build', '--quiet'], ENV);
  expect(code).toBe(1);
  expect(stderr).toContain(`The build ${older} is held, so no other build is made`);
  const after = JSON.parse(await run('builds', 'list', '--json'));
  const nameOf = ({ build }: { build: string }) => build;
  expect(after.builds.map(nameOf)).toEqual(builds.map(nameOf));
  expect(after.builds.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent).map(nameOf)).toEqual([older]);
  expect(after.held).toMatchObject({ build: older });
  expect(await run('status')).toContain(`${older}, held until you run zoetrope builds release`);
});

test('a restart keeps the hold', async () => {
  await server.stop();
  await run('work', '--quiet');
  server = await startServer(data, ENV);
  expect(titlesOf(await find())).toEqual(['happy five']);
  expect((await find()).build).toBe(older);
});

test('a release catches up, and nothing hidden comes back', async () => {
  const seen = await seenDuring(async () => {
    await run('builds', 'release');
    await untilFound('happy edited', 'happy five', 'happy four', 'happy six');
  });
  expect([...seen].sort()).toEqual(['happy edited', 'happy five', 'happy four', 'happy six']);
  expect((await zoetrope(data, ['builds', 'release'], ENV)).stderr).toContain('No build is held');
});

test('a release is followed by a new build, even if nothing has changed since the older build was chosen', async () => {
  await server.stop();
  // Without a running service, nobody waits for these builds.
  await add('before', [{ title: 'happy older' }]);
  await add('after', [{ title: 'happy newer' }]);
  server = await startServer(data, ENV);
  const { builds } = JSON.parse(await run('builds', 'list', '--json'));
  const titles = ['happy edited', 'happy five', 'happy four', 'happy six', 'happy older'];
  await untilFound(...titles, 'happy newer');
  await run('builds', 'use', builds[1].build);
  await untilFound(...titles);
  await run('builds', 'release');
  await untilFound(...titles, 'happy newer');
});

test('a name that no build has is refused', async () => {
  const { code, stderr } = await zoetrope(data, ['builds', 'use', 'b000000000000'], ENV);
  expect(code).toBe(1);
  expect(stderr).toContain('There is no complete build b000000000000. See zoetrope builds');
});

test('if the held build is lost, the service goes on with new ones', async () => {
  const { build } = await find();
  await run('builds', 'use', build);
  await add('fourth', [{ title: 'happy seven' }]);
  await server.stop();
  fs.rmSync(`${data}/builds`, { recursive: true });
  server = await startServer(data, ENV);
  expect(titlesOf(await find())).toContain('happy seven');
  expect(JSON.parse(await run('builds', '--json')).held).toBe(null);
});

test('a build that another version made, or that is not complete, cannot be chosen', async () => {
  await add('last', [{ title: 'happy last' }]);
  const { builds } = JSON.parse(await run('builds', 'list', '--json'));
  const { build: name } = builds.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  const manifest = JSON.parse(fs.readFileSync(`${data}/builds/${name}/manifest.json`, 'utf8'));
  const engine = { ...manifest.engine, format: manifest.engine.format + 1 };
  // The name of a build is a hash of its content.
  const content = JSON.stringify(manifest.earlier.length === 0 ? engine : [...manifest.earlier, engine]);
  const foreign = `b${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
  fs.cpSync(`${data}/builds/${name}`, `${data}/builds/${foreign}`, { recursive: true });
  fs.writeFileSync(`${data}/builds/${foreign}/manifest.json`, JSON.stringify({ ...manifest, engine, build: foreign }));
  fs.rmSync(`${data}/builds/${name}/${engine.sections[0].name}`);
  for (const [build, message] of [
    [foreign, 'was made by another version of Zoetrope'],
    [name, `There is no complete build ${name}`],
  ]) {
    const { code, stderr } = await zoetrope(data, ['builds', 'use', build], ENV);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  }
  expect(JSON.parse(await run('builds', 'list', '--json')).held).toBeNull();
});
