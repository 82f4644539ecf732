// Installs and makes the files that the programs of this repository need. Runs with the machine's own Node (20 or
// newer).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  CACHE,
  endable,
  ensureDependencies,
  exitOf,
  FLAGS,
  fail,
  findNode,
  npmCi,
  removeQuietly,
  root,
  runBundle,
} from './launch.mjs';

/** The model that takes long to make. The service can start without it. */
const SLOW_MODEL = 'languages.bin';
const QUICK_MODELS = ['looks.onnx', 'rating.onnx', 'sentences.json', 'sentences.onnx'];
/** This file exists while that model is being made. */
const MAKING = '.making';
/** Number of versions of the models, and of each bundle, that are kept in the cache for other clones. */
const KEPT = 3;
/** The sources of the models and the code that makes them. After any change, the models are rebuilt. */
const MODEL_SOURCES = ['tools/models', 'packages/search/src/languages', 'packages/search/src/analysis'];
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

/**
 * Installs and makes the missing files that a program needs. Downloads run at the same time. Models and bundles are
 * also made at the same time, because each keeps one core busy. The tools for making them are kept only for developers,
 * because the service does not need them.
 * @param begins whether a new service starts, which needs only the files that are made quickly
 * @returns a function that does the remaining work. Work remains only with `begins`
 */
export async function prepare(node, { dev, models, bundles, begins = false }) {
  const all = [
    ...(models ? [modelsFor(node)] : []),
    ...(bundles ? BUNDLES.map((bundle) => bundleFor(node, bundle)) : []),
  ];
  const wanted = all.filter(({ isMade }) => !isMade);
  const tools = new Set((dev ? all : wanted).map((each) => each.tools));
  const before = new Set([...tools].filter((folder) => fs.existsSync(path.join(folder, 'node_modules'))));
  const made = await endable(async () => {
    await Promise.all([
      ensureDependencies(node, root, { dev }),
      ...Array.from(tools, (folder) => ensureTools(node, folder)),
    ]);
    return Promise.all(wanted.map(({ make }) => make(begins)));
  });
  const rest = made.filter((finish) => finish !== undefined);
  const finish = async () => {
    for (const each of rest) await each();
    for (const folder of tools) if (!dev && !before.has(folder)) removeQuietly(path.join(folder, 'node_modules'));
  };
  if (rest.length === 0) await finish();
  return rest.length === 0 ? async () => {} : finish;
}

/** Installs the locked packages of a folder of tools, if they are not installed yet from the same lock file. */
async function ensureTools(node, folder) {
  const stampFile = path.join(folder, 'node_modules', '.zoetrope-installed');
  const stamp = hashOf([path.join(folder, 'package-lock.json')]);
  if (isStamped(stampFile, stamp)) return;
  await npmCi(node, folder);
  fs.writeFileSync(stampFile, stamp);
}

/**
 * Returns, for the files in packages/server/models, whether they were made from the current sources, and how to make
 * them.
 */
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
        // The old file is removed and not overwritten, because another copy of the repository can have a link to it.
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
        // The model is made at low priority, because a new operator is waiting for the first GIFs, which are being
        // drawn now.
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

/** Returns, for a bundle, whether it was made from the current sources, and how to make it. */
function bundleFor(node, { app, made, sources }) {
  const stampFile = path.join(root, app, made, '.zoetrope-made');
  const stamp = hashOf([
    path.join(root, 'package-lock.json'),
    path.join(root, app, 'vite.config.ts'),
    ...['tools/web', ...sources].flatMap((source) => filesIn(path.join(root, source))),
  ]);
  const tools = path.join(root, 'tools', 'web');
  const name = path.basename(app);
  const folder = path.join(root, app, made);
  const cached = CACHE && path.join(CACHE, 'bundles', name, stamp.slice(0, 20));
  return {
    tools,
    isMade: isStamped(stampFile, stamp) || linkFiles(cached, folder),
    async make() {
      console.error(`Bundling the ${name} (only once) ...`);
      const vite = path.join(tools, 'node_modules', 'vite', 'bin', 'vite.js');
      const args = [vite, 'build', '--logLevel', 'warn', path.join(root, app)];
      const code = await exitOf(spawn(node, args, { stdio: ['ignore', 2, 2] }));
      if (code !== 0) fail(`Could not bundle the ${name}; see the message above.`);
      fs.writeFileSync(stampFile, stamp);
      if (linkFiles(folder, cached)) keepLatest(path.dirname(cached));
    },
  };
}

/**
 * Copies the files of a folder to a new folder, which appears when it is complete. If possible, the copies are hard
 * links. This is safe, because no file is changed in place.
 * @returns whether the new folder exists. It can be missing, because callers can do without it
 */
function linkFiles(from, to) {
  if (!from || !to || !fs.existsSync(from)) return false;
  const part = `${to}.${process.pid}.part`;
  try {
    for (const name of fs.readdirSync(from, { recursive: true })) {
      const [source, target] = [path.join(from, name), path.join(part, name)];
      if (fs.statSync(source).isDirectory()) continue;
      fs.mkdirSync(path.dirname(target), { recursive: true });
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

/** Removes all folders except the latest ones. */
function keepLatest(folder) {
  const ages = fs.readdirSync(folder).map((name) => ({ name, at: fs.statSync(path.join(folder, name)).mtimeMs }));
  for (const { name } of ages.sort((a, b) => b.at - a.at).slice(KEPT)) removeQuietly(path.join(folder, name));
}

function isStamped(stampFile, stamp) {
  return fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp;
}

/** Runs the `zoetrope` command. */
export async function runService(args) {
  const node = await findNode();
  const begins = (args[0] ?? 'serve') === 'serve';
  const finish = await prepare(node, { dev: false, models: true, bundles: true, begins });
  runBundle(node, args);
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
