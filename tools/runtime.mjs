// Runs under whatever Node the machine has (20 or newer). Everything else runs under Node 24 or newer.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'tools', 'runtime');
const WANTED = 24;
const packageOf = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const bundled = path.join(folder, 'node_modules', packageOf, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Flags that run the TypeScript sources of all packages directly. */
const FLAGS = ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'];
/**
 * Settings that save memory, because the service runs all day on the same machine as other programs. In each process,
 * short-lived objects get less than the usual 32 MB, and threads share two malloc arenas. These settings save 60 MB
 * with a million GIFs (`npm run bench hybrid`).
 */
const SPARING = { flags: ['--max-semi-space-size=4'], env: { MALLOC_ARENA_MAX: '2' } };
/**
 * Folder for what takes long to make and serves every copy of the repository and every data folder of this user;
 * undefined if the user has no home folder.
 */
const CACHE = process.env.ZOETROPE_CACHE ?? userCache();
/** The model that takes long to make. The service can begin without it. */
const SLOW_MODEL = 'languages.bin';
const QUICK_MODELS = ['looks.onnx', 'rating.onnx', 'sentences.json', 'sentences.onnx'];
/** The file that says that it is being made. */
const MAKING = '.making';
/** Number of versions of the models that are kept there. */
const KEPT = 3;
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
  { app: 'packages/client', made: 'bundle', sources: ['packages/client/src'] },
];

/** Returns the path of a Node that is new enough. Downloads one from npm if the machine's own is too old. */
export async function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= WANTED) return process.execPath;
  if (!fs.existsSync(bundled)) {
    console.error(
      `Node ${process.versions.node} is too old for Zoetrope; downloading Node ${WANTED} from npm (only once) ...`,
    );
    await npmCi(process.execPath, folder);
  }
  if (fs.existsSync(bundled)) return bundled;
  fail(
    `There is no ready-made Node ${WANTED} for ${process.platform}-${process.arch}. Install Node ${WANTED} or newer and try again.`,
  );
}

/**
 * Installs and makes what a program needs, unless it is there. Downloads run at the same time, and so do the models and the
 * bundles, because each of them keeps one core busy. The service does not need the tools that made them, so only
 * developers keep these.
 * @param begins whether a new service begins, which needs only what is made quickly
 * @returns what is left to do then; otherwise it is done
 */
export async function prepare(node, { dev, models, bundles, begins = false }) {
  const all = [
    ...(models ? [modelsFor(node)] : []),
    ...(bundles ? BUNDLES.map((bundle) => bundleFor(node, bundle)) : []),
  ];
  const wanted = all.filter(({ isMade }) => !isMade);
  const tools = new Set((dev ? all : wanted).map((each) => each.tools));
  const before = new Set([...tools].filter((folder) => fs.existsSync(path.join(folder, 'node_modules'))));
  for (const signal of SIGNALS) process.on(signal, endBySignal);
  await Promise.all([ensureDependencies(node, { dev }), ...Array.from(tools, (folder) => ensureTools(node, folder))]);
  const rest = (await Promise.all(wanted.map(({ make }) => make(begins)))).filter((finish) => finish !== undefined);
  for (const signal of SIGNALS) process.off(signal, endBySignal);
  const finish = async () => {
    for (const each of rest) await each();
    for (const folder of tools) if (!dev && !before.has(folder)) removeQuietly(path.join(folder, 'node_modules'));
  };
  if (rest.length === 0) await finish();
  return rest.length === 0 ? async () => {} : finish;
}

/** Installs the locked packages of a folder of tools, unless the same lock file is already installed. */
async function ensureTools(node, folder) {
  const stampFile = path.join(folder, 'node_modules', '.zoetrope-installed');
  const stamp = hashOf([path.join(folder, 'package-lock.json')]);
  if (isStamped(stampFile, stamp)) return;
  await npmCi(node, folder);
  fs.writeFileSync(stampFile, stamp);
}

/** Removes a folder that can be made again. A folder that cannot be removed takes only space. */
function removeQuietly(folder) {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {}
}

/** Installs the locked dependencies, unless the same lock file is already installed. */
async function ensureDependencies(node, { dev }) {
  const stampFile = path.join(root, 'node_modules', '.zoetrope-installed');
  const lock = createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = fs.existsSync(stampFile) ? fs.readFileSync(stampFile, 'utf8').split(' ') : [];
  if (stamp[0] === lock && (!dev || stamp[1] === 'dev')) return;
  console.error(`Installing dependencies${dev ? ' for development' : ''} ...`);
  await npmCi(node, root, dev ? [] : ['--omit=dev']);
  dropForeignLibraries();
  fs.writeFileSync(stampFile, `${lock} ${dev ? 'dev' : 'production'}`);
}

/** Removes the ONNX runtime's libraries for other systems, which take 244 MB. */
function dropForeignLibraries() {
  const folder = path.join(root, 'node_modules', 'onnxruntime-node', 'bin');
  for (const version of foldersIn(folder)) {
    for (const system of foldersIn(path.join(folder, version))) {
      for (const processor of foldersIn(path.join(folder, version, system))) {
        if (system === process.platform && processor === process.arch) continue;
        removeQuietly(path.join(folder, version, system, processor));
      }
    }
  }
}

function foldersIn(folder) {
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

/** The files in packages/server/models: whether they were made from the same sources, and how to make them. */
function modelsFor(node) {
  const made = path.join(root, 'packages', 'server', 'models');
  const stampFile = path.join(made, '.zoetrope-made');
  const stamp = hashOf(MODEL_SOURCES.flatMap((source) => filesIn(path.join(root, source))));
  const tools = path.join(root, 'tools', 'models');
  const cached = CACHE && path.join(CACHE, 'models', stamp.slice(0, 20));
  return {
    tools,
    isMade: isStamped(stampFile, stamp) || linkFiles(cached, made),
    async make(begins) {
      console.error('Preparing the models (only once) ...');
      const start = (...names) => {
        const args = [...FLAGS, path.join(tools, 'make.ts'), ...names];
        return spawn(node, args, { stdio: ['ignore', 2, 2] });
      };
      const finish = () => {
        fs.rmSync(path.join(made, MAKING), { force: true });
        // Another copy of the repository can have a link to the old file.
        fs.rmSync(stampFile, { force: true });
        fs.writeFileSync(stampFile, stamp);
        if (linkFiles(made, cached)) keepLatest(path.dirname(cached));
      };
      const isLater = begins && !fs.existsSync(path.join(made, SLOW_MODEL));
      const code = await exitOf(start(...(isLater ? QUICK_MODELS : [])));
      if (code !== 0) fail('tools/models/make.ts failed; see its message above.');
      if (!isLater) return finish();
      fs.writeFileSync(path.join(made, MAKING), '');
      return async () => {
        const child = start(SLOW_MODEL);
        // Newcomers wait for the first GIFs, which are being drawn now.
        if (child.pid !== undefined) setPriorityQuietly(child.pid, os.constants.priority.PRIORITY_LOW);
        if ((await exitOf(child)) === 0) return finish();
        fs.rmSync(path.join(made, MAKING), { force: true });
        console.error(`tools/models/make.ts failed; see its message above. Searches in other languages find less.`);
      };
    },
  };
}

function setPriorityQuietly(pid, priority) {
  try {
    os.setPriority(pid, priority);
  } catch {}
}

/** A bundle: whether it was made from the same sources, and how to make it. */
function bundleFor(node, { app, made, sources }) {
  const stampFile = path.join(root, app, made, '.zoetrope-made');
  const stamp = hashOf([
    path.join(root, 'package-lock.json'),
    path.join(root, app, 'vite.config.ts'),
    ...['tools/web', ...sources].flatMap((source) => filesIn(path.join(root, source))),
  ]);
  const tools = path.join(root, 'tools', 'web');
  return {
    tools,
    isMade: isStamped(stampFile, stamp),
    async make() {
      console.error(`Bundling the ${path.basename(app)} (only once) ...`);
      const vite = path.join(tools, 'node_modules', 'vite', 'bin', 'vite.js');
      const args = [vite, 'build', '--logLevel', 'warn', path.join(root, app)];
      const code = await exitOf(spawn(node, args, { stdio: ['ignore', 2, 2] }));
      if (code !== 0) fail(`Could not bundle the ${path.basename(app)}; see the message above.`);
      fs.writeFileSync(stampFile, stamp);
    },
  };
}

/** Returns `zoetrope` in the folder for caches, as XDG names it. */
function userCache() {
  try {
    return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'zoetrope');
  } catch {
    return undefined;
  }
}

/**
 * Puts the files of a folder into a new one, which appears when it is complete. The files are links where the disk allows
 * it: nobody changes a file in place.
 * @returns whether the new folder is there, which needs not be so: whoever calls this can do without
 */
function linkFiles(from, to) {
  if (!from || !to || !fs.existsSync(from)) return false;
  const part = `${to}.${process.pid}.part`;
  try {
    fs.mkdirSync(part, { recursive: true });
    for (const name of fs.readdirSync(from)) {
      const [source, target] = [path.join(from, name), path.join(part, name)];
      try {
        fs.linkSync(source, target);
      } catch {
        fs.copyFileSync(source, target);
      }
    }
    fs.rmSync(to, { recursive: true, force: true });
    fs.renameSync(part, to);
    return true;
  } catch {
    removeQuietly(part);
    return false;
  }
}

/** Removes all but the latest folders. */
function keepLatest(folder) {
  const ages = fs.readdirSync(folder).map((name) => ({ name, at: fs.statSync(path.join(folder, name)).mtimeMs }));
  for (const { name } of ages.sort((a, b) => b.at - a.at).slice(KEPT)) removeQuietly(path.join(folder, name));
}

function isStamped(stampFile, stamp) {
  return fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp;
}

/** Runs a TypeScript program of this repository in the current folder, and exits with its exit code. */
export function run(node, program, args, { flags, env } = { flags: [], env: {} }) {
  const child = spawn(node, [...FLAGS, ...flags, path.join(root, program), ...args], {
    stdio: 'inherit',
    env: {
      // Compiled code from the cache starts in half the time.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'zoetrope'),
      ...(CACHE && { ZOETROPE_CACHE: CACHE }),
      ...env,
      ...process.env,
      PATH: [path.dirname(node), process.env.PATH].join(path.delimiter),
    },
  });
  // A terminal sends Ctrl-C to both processes. A supervisor sends its signal only to this process.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  // `kill` on `npm start` ends npm and its shell, but sends no signal to this process.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref();
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (signal === 'SIGINT' ? 2 : 15));
  });
}

/** Runs the `zoetrope` command. */
export async function runService(args) {
  const node = await findNode();
  const begins = (args[0] ?? 'serve') === 'serve';
  const finish = await prepare(node, { dev: false, models: true, bundles: true, begins });
  run(node, 'packages/server/bundle/main.mjs', args, SPARING);
  await finish().catch((error) => console.error(error.message));
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

/** Installs the locked packages of a folder. */
async function npmCi(node, cwd, flags = []) {
  // Several installs share the terminal, where their progress displays would overwrite each other.
  const args = ['ci', ...flags, '--no-fund', '--no-audit', '--no-progress', '--loglevel=error'];
  const cli = findNpm();
  const env = { ...process.env, PATH: [path.dirname(node), process.env.PATH].join(path.delimiter) };
  // npm chooses packages for the Node that runs it.
  const options = { cwd, stdio: ['ignore', 'ignore', 2], env };
  const child = cli
    ? spawn(node, [cli, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  if ((await exitOf(child)) !== 0)
    fail(`npm ci failed in ${cwd}; see its message above. Can this machine reach the npm registry?`);
}

/** The processes that install or make something. They end with this process. */
const preparing = new Set();
process.on('exit', () => {
  for (const child of preparing) child.kill('SIGKILL');
});

/** Returns the exit code of a process, or null if it could not be started or a signal ended it. */
async function exitOf(child) {
  preparing.add(child);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message);
      resolve(null);
    });
    child.once('exit', resolve);
  });
  preparing.delete(child);
  return code;
}

/** Ends this process on a signal, with its children. */
function endBySignal(signal) {
  process.exit(128 + os.constants.signals[signal]);
}

function findNpm() {
  const { npm_execpath: cli } = process.env;
  return cli && /npm-cli\.js$/.test(cli) && fs.existsSync(cli) ? cli : undefined;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
