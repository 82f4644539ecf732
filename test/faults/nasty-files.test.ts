import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { NASTY_FILES } from '../support/nasty-files.ts';
import { temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * The real command ingests files that break decoders. Each file is ingested or refused with a reason, and no file ends
 * the command. `npm run bench nasty` measures the cost of these files.
 */

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const FIXTURES = process.env['ZOETROPE_TEST_DATA'] && path.join(process.env['ZOETROPE_TEST_DATA'], 'media_fixtures');

/** A low CPU limit, so that slow files soon exceed it. */
const ENV = {
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_MEDIA_WORKERS: '2',
  ZOETROPE_TEST_MEDIA_MAX_CPU_SECONDS: '1',
};
/** A long timeout, because there are many files, and they are decoded at low priority. */
const PATIENCE_MS = 1_200_000;

interface Refused {
  reason: string;
  message: string;
}

/** Adds a folder. @returns the number of ingested files, and the refused files, keyed by their path in the folder */
async function add(source: string) {
  const args = ['add', '--json', '--quiet', source];
  const { code, stdout, stderr } = await zoetrope(`${folder.path}/data`, args, ENV);
  expect(code, stderr).toBe(0);
  const { added, refused } = JSON.parse(stdout) as { added: number; refused: (Refused & { key: string })[] };
  return { added, refused: new Map(refused.map(({ key, ...why }) => [path.relative(source, key), why])) };
}

function expectClear(name: string, { reason, message }: Refused): void {
  expect(reason, name).toMatch(/^[a-z_]+$/);
  expect(message.length, name).toBeGreaterThan(10);
  // The reason must not be a bug in our own code.
  expect(message, name).not.toMatch(/undefined|TypeError|at file:/);
}

test(
  'each nasty file is ingested or refused with a reason',
  async () => {
    const source = path.join(folder.path, 'nasty');
    fs.mkdirSync(source);
    for (const { name, make } of NASTY_FILES) fs.writeFileSync(path.join(source, `${name}.gif`), await make());
    const { added, refused } = await add(source);
    expect(NASTY_FILES.length).toBeGreaterThanOrEqual(40);
    expect(added + refused.size).toBe(NASTY_FILES.length);
    for (const { name, fate } of NASTY_FILES) {
      const why = refused.get(`${name}.gif`);
      if (why !== undefined) expectClear(name, why);
      const became = why?.reason ?? 'taken';
      expect(fate === 'taken' ? ['taken'] : fate, `${name}: ${why?.message}`).toContain(became);
    }
    for (const { reason, message } of refused.values()) {
      expect(message.endsWith(' (ZOETROPE_MEDIA_MAX_BYTES)')).toBe(reason === 'too_large');
    }
  },
  PATIENCE_MS,
);

test.skipIf(FIXTURES === undefined)(
  'the fixtures of other decoders are ingested or refused, too',
  async () => {
    const files = fs.globSync('**/*.{gif,webp}', { cwd: FIXTURES! });
    expect(files.length).toBeGreaterThan(200);
    const { added, refused } = await add(FIXTURES!);
    expect(added + refused.size).toBe(files.length);
    expect(added).toBeGreaterThan(files.length * 0.85);
    for (const [name, why] of refused) expectClear(name, why);
  },
  PATIENCE_MS,
);
