import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EXTERNAL } from '../../packages/server/vite.config.ts';

/**
 * Files that the service reads while it runs. They have the same paths in the archive as in the repository, because the
 * bundle finds them relative to the sources.
 */
const FILES = [
  'LICENSE',
  'CREDITS.md',
  'docs/{benchmarks,comparison,privacy,quality}.md',
  'docs/build/{faces,guide,mcp,nostr,picker}.md',
  'packages/dashboard/dist/**/*.*',
  'packages/{client,picker,server}/bundle/*.*',
  'packages/server/models/*.*',
  'packages/server/tables/*.*',
  'packages/server/src/http/{page,site}/**/*.{css,js}',
  'tools/archive/zoetrope.mjs',
  'tools/launch.mjs',
  'tools/runtime/package.json',
  'tools/runtime/package-lock.json',
];

/** Packages with data that the service reads while it runs. */
const DATA = ['@fontsource-variable/figtree', '@iconify-json/noto', 'emojilib'];

type Versions = Record<string, string>;

interface Manifest {
  dependencies?: Versions;
  optionalDependencies?: Versions | undefined;
  peerDependencies?: Versions;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  overrides?: object;
}

/** Packs the service, so that it runs in any folder without the repository. */
export function packService(folder: string): void {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-pack-'));
  try {
    for (const file of FILES.flatMap((pattern) => fs.globSync(pattern)).filter(isWanted)) {
      fs.cpSync(file, path.join(made, file));
    }
    fs.copyFileSync('tools/archive/README.md', path.join(made, 'README.md'));
    fs.mkdirSync(path.join(made, 'man'));
    fs.writeFileSync(path.join(made, 'man/zoetrope.1'), manPage());
    writeJson(path.join(made, 'package.json'), makeManifest());
    const libraries = listLibraries();
    writeJson(path.join(made, 'packages/package.json'), libraries);
    writeJson(path.join(made, 'packages/package-lock.json'), lockFor(libraries));
    execFileSync('npm', ['pack', made, '--silent', '--pack-destination', folder], { stdio: 'inherit' });
  } finally {
    fs.rmSync(made, { recursive: true });
  }
}

function isWanted(file: string): boolean {
  return fs.statSync(file).isFile() && !path.basename(file).startsWith('.');
}

function manPage(): Buffer {
  return execFileSync(process.execPath, ['packages/server/bundle/main.mjs', 'man']);
}

function makeManifest() {
  const { name, version, description, license, type, engines } = readJson('package.json');
  const bin = { zoetrope: 'tools/archive/zoetrope.mjs' };
  return { name, version, description, license, type, engines, bin, man: ['./man/zoetrope.1'] };
}

/**
 * Returns the libraries that are not in the bundle. They are installed at the first start, because npm ignores lock
 * files of packages. Without the lock file, npm would install a second sharp, and would run the install script of the
 * ONNX runtime, which downloads libraries for graphics cards.
 */
function listLibraries(): Manifest {
  const [server, starter] = ['server', 'starter'].map((name) => readJson(`packages/${name}/package.json`) as Manifest);
  const { optionalDependencies } = server!;
  const versions = { ...server!.dependencies, ...starter!.dependencies };
  const names = [...EXTERNAL, ...DATA].filter((name) => optionalDependencies?.[name] === undefined).toSorted();
  const dependencies = Object.fromEntries(names.map((name) => [name, versions[name]!]));
  return { dependencies, optionalDependencies, overrides: readJson('package.json').overrides };
}

/** Returns the part of the repository's lock file that these libraries need. */
function lockFor(libraries: Manifest) {
  const { packages, ...lock } = readJson('package-lock.json') as Lock;
  const kept: Record<string, Manifest> = { '': libraries };
  const keep = (name: string, user: string): void => {
    const found = locate(name, user, packages);
    if (found === undefined || kept[found] !== undefined) return;
    const entry = packages[found]!;
    // Outside of workspaces, `npm ci` fails if an optional dependency is not in the lock file.
    const optional = Object.entries(entry.optionalDependencies ?? {}).filter(([each]) => locate(each, found, packages));
    kept[found] = { ...entry, optionalDependencies: Object.fromEntries(optional) };
    for (const needed of neededBy(entry)) keep(needed, found);
  };
  for (const name of neededBy(libraries)) keep(name, '');
  return { ...lock, packages: kept };
}

interface Lock {
  packages: Record<string, Manifest>;
}

function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Manifest): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Returns the path of the package that the package `user` gets when it imports this name. */
function locate(name: string, user: string, packages: Lock['packages']): string | undefined {
  const place = path.posix.join(user, 'node_modules', name);
  if (packages[place] !== undefined) return place;
  return user === ''
    ? undefined
    : locate(name, user.slice(0, Math.max(0, user.lastIndexOf('node_modules/') - 1)), packages);
}

function readJson(file: string) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function writeJson(file: string, value: object): void {
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
