import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/server.ts';

/*
 * A linter that silently checks nothing accepts everything. Therefore, faults are planted in a copy of the repository's
 * outline, and the linter must find each of them.
 */

const folder = temporaryFolder();

const PLANTED = [
  {
    fault: 'a route that imports the catalogue',
    file: 'packages/server/src/http/routes/planted-import.ts',
    code: "import { findGif } from '../../catalog/index.ts';\n\nexport const planted = findGif;\n",
    rule: 'noRestrictedImports',
  },
  {
    fault: 'an import that bypasses the index.ts of a room',
    file: 'packages/server/src/http/planted-depth.ts',
    code: "import { loadBuild } from '../builds/load.ts';\n\nexport const planted = loadBuild;\n",
    rule: 'noRestrictedImports',
  },
  {
    fault: 'an import of media in the dashboard',
    file: 'packages/server/src/account/routes/planted-room.ts',
    code: "import { createMedia } from '../../media/index.ts';\n\nexport const planted = createMedia;\n",
    rule: 'noRestrictedImports',
  },
  {
    fault: 'an import of the dashboard in payments',
    file: 'packages/server/src/payments/planted-room.ts',
    code: "import { askDomain } from '../account/index.ts';\n\nexport const planted = askDomain;\n",
    rule: 'noRestrictedImports',
  },
  {
    fault: 'an import of the public API in the doctor',
    file: 'packages/server/src/upkeep/doctor/planted-room.ts',
    code: "import { createApp } from '../../http/index.ts';\n\nexport const planted = createApp;\n",
    rule: 'noRestrictedImports',
  },
  {
    fault: 'an import of another room in a nested folder',
    file: 'packages/server/src/relays/events/planted-room.ts',
    code: "import { createEmbedder } from '../../embed/index.ts';\n\nexport const planted = createEmbedder;\n",
    rule: 'noRestrictedImports',
  },
  {
    fault: 'an import of a large library in the picker',
    file: 'packages/picker/src/planted-package.ts',
    code: "import { SimplePool } from 'nostr-tools/pool';\n\nexport const planted = SimplePool;\n",
    rule: 'noRestrictedImports',
  },
  {
    fault: "an import of Node's modules in the engine",
    file: 'packages/search/src/planted-node.ts',
    code: "import fs from 'node:fs';\n\nexport const planted: typeof fs = fs;\n",
    rule: 'noRestrictedImports',
  },
  {
    fault: "an import of Node's modules in a page",
    file: 'packages/dashboard/src/planted-service.ts',
    code: "import fs from 'node:fs';\n\nexport const planted: typeof fs = fs;\n",
    rule: 'noRestrictedImports',
  },
  {
    fault: 'an any',
    file: 'packages/server/src/catalog/planted-any.ts',
    code: 'export const planted: any = 1;\n',
    rule: 'noExplicitAny',
  },
  {
    fault: 'a floating promise',
    file: 'packages/server/src/catalog/planted-promise.ts',
    code: 'async function planted(): Promise<number> {\n  return 1;\n}\n\nplanted();\n',
    rule: 'noFloatingPromises',
  },
  {
    fault: 'a file of 401 lines',
    file: 'packages/server/src/catalog/planted-length.ts',
    code: `${Array.from({ length: 401 }, (_, n) => `export const line${n} = ${n};`).join('\n')}\n`,
    rule: 'noExcessiveLinesPerFile',
  },
  {
    fault: 'a wait that ends after the default of one second',
    file: 'packages/server/src/catalog/planted-wait.test.ts',
    code: "import { vi } from 'vitest';\n\nawait vi.waitFor(() => undefined);\n",
    rule: 'This wait has no limit of its own',
  },
] as const;

/** The files that the linter's rules need: the linter's configuration, and each package.json and index.ts. */
const OUTLINE = [
  'biome.json',
  'tools/boundaries.json',
  'tools/checks/waits.grit',
  '.gitignore',
  'package.json',
  'packages/*/package.json',
  'packages/**/index.ts',
  'packages/server/src/builds/load.ts',
];

beforeAll(() => {
  for (const file of OUTLINE.flatMap((pattern) => fs.globSync(pattern, { exclude: ['**/node_modules'] }))) {
    const target = path.join(folder.path, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(file, target);
  }
  execFileSync('git', ['init', '--quiet'], { cwd: folder.path });
  return () => folder[Symbol.dispose]();
});

describe('the linter', () => {
  it.each(PLANTED)('finds $fault', ({ file, code, rule }) => {
    const target = path.join(folder.path, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, code);
    const { status, stdout, stderr } = lint(file);
    fs.rmSync(target);
    expect(stdout + stderr).toContain(rule);
    expect(status).not.toBe(0);
  });

  it('finds types that import each other in a circle', () => {
    const room = path.join(folder.path, 'packages/server/src/catalog');
    const files = ['hen', 'egg'].map((name) => path.join(room, `planted-${name}.ts`));
    const [hen, egg] = files as [string, string];
    fs.writeFileSync(hen, "import type { Egg } from './planted-egg.ts';\n\nexport type Hen = { from: Egg };\n");
    fs.writeFileSync(egg, "import type { Hen } from './planted-hen.ts';\n\nexport type Egg = { from: Hen };\n");
    const { status, stdout, stderr } = lint('packages/server/src/catalog');
    for (const file of files) fs.rmSync(file);
    expect(stdout + stderr).toContain('noImportCycles');
    expect(status).not.toBe(0);
  });

  it('accepts a file without faults', () => {
    const file = 'packages/server/src/catalog/planted-nothing.ts';
    fs.writeFileSync(path.join(folder.path, file), 'export const planted = 1;\n');
    expect(lint(file).status).toBe(0);
  });
});

function lint(file: string) {
  const biome = path.resolve('node_modules/.bin/biome');
  return spawnSync(biome, ['lint', file], { cwd: folder.path, encoding: 'utf8' });
}
