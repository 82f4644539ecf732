// Starts the service from a clone and from an installed archive. Runs with the machine's own Node (20 or newer).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The root of the repository or of the archive. Both have the same folders. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const runtime = path.join(root, 'tools', 'runtime');
const OLDEST = 20;
const WANTED = 24;
const packageOf = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const bundled = path.join(
  runtime,
  'node_modules',
  packageOf,
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Flags that run the TypeScript sources of all packages directly. */
export const FLAGS = ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'];
/**
 * Settings that save memory, because the service runs all day on the same machine as other programs. In each process,
 * short-lived objects get less memory than the usual 32 MB, and threads share two malloc arenas. These settings save 60
 * MB with a million GIFs (`npm run bench hybrid`). Blocks from 64 kB have pages of their own, which Linux gets back when
 * they are freed. This saves about 40 MB of 360 MB after 5,000 searches of 93,644 GIFs.
 */
const SPARING = {
  flags: ['--max-semi-space-size=4'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(64 * 1024) },
};
/**
 * Folder for files that take long to make. All copies of the repository and all data folders of this user share them.
 * Undefined if the user has no home folder.
 */
export const CACHE = process.env.ZOETROPE_CACHE ?? userCache();

/** Returns the path of a Node that is new enough. Downloads Node from npm if the machine's own Node is too old. */
export async function findNode() {
  const { node } = process.versions;
  const major = Number(node.split('.')[0]);
  if (major >= WANTED) return process.execPath;
  if (major < OLDEST) fail(`Zoetrope needs Node ${OLDEST} or newer; this is Node ${node}.`);
  if (!fs.existsSync(bundled)) {
    console.error(`Node ${node} is too old for Zoetrope; downloading Node ${WANTED} from npm (only once) ...`);
    await npmCi(process.execPath, runtime);
    // The headers are removed, because they are only for compiling addons and take 67 MB.
    removeQuietly(path.join(runtime, 'node_modules', packageOf, 'include'));
  }
  if (fs.existsSync(bundled)) return bundled;
  fail(
    `npm could not download Node ${WANTED} for ${process.platform}-${process.arch}. Check the network and try again, or install Node ${WANTED} or newer.`,
  );
}

/** Runs work that starts other processes. These processes end together with this process when it gets a signal. */
export async function endable(work) {
  for (const signal of SIGNALS) process.on(signal, endBySignal);
  const result = await work();
  for (const signal of SIGNALS) process.off(signal, endBySignal);
  return result;
}

/**
 * Folders that only developers use: the compiler, which npm installs because it is an optional peer of a package, and
 * the C sources of SQLite, because the library is installed in compiled form.
 */
const UNUSED = ['typescript', '@typescript', 'better-sqlite3/deps', 'better-sqlite3/src'];

/** Installs the locked dependencies of a folder, if they are not installed yet from the same lock file. */
export async function ensureDependencies(node, folder, { dev }) {
  const stampFile = path.join(folder, 'node_modules', '.zoetrope-installed');
  const lock = createHash('sha256')
    .update(fs.readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = fs.existsSync(stampFile) ? fs.readFileSync(stampFile, 'utf8').split(' ') : [];
  if (stamp[0] === lock && (!dev || stamp[1] === 'dev')) return;
  console.error(`Installing dependencies${dev ? ' for development' : ''} (usually less than a minute) ...`);
  await npmCi(node, folder, dev ? [] : ['--omit=dev']);
  const modules = path.join(folder, 'node_modules');
  dropForeignLibraries(modules);
  if (!dev) for (const name of UNUSED) removeQuietly(path.join(modules, name));
  fs.writeFileSync(stampFile, `${lock} ${dev ? 'dev' : 'production'}`);
}

/** Removes libraries for other systems: 244 MB of the ONNX runtime, 12 MB of SQLite. */
function dropForeignLibraries(modules) {
  const { platform, arch } = process;
  const onnx = path.join(modules, 'onnxruntime-node', 'bin');
  for (const version of entriesOf(onnx)) {
    for (const system of entriesOf(path.join(onnx, version))) {
      for (const processor of entriesOf(path.join(onnx, version, system))) {
        if (system === platform && processor === arch) continue;
        removeQuietly(path.join(onnx, version, system, processor));
      }
    }
  }
  const sqlite = path.join(modules, 'better-sqlite3', 'prebuilds');
  const ours = [`${platform}-${arch}.node`, `${platform}musl-${arch}.node`];
  for (const name of entriesOf(sqlite)) if (!ours.includes(name)) removeQuietly(path.join(sqlite, name));
}

function entriesOf(folder) {
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

/** Runs the `zoetrope` command from the bundle. */
export function runBundle(node, args) {
  run(node, 'packages/server/bundle/main.mjs', args, SPARING);
}

/** Runs a TypeScript program of this repository in the current folder, and exits with its exit code. */
export function run(node, program, args, { flags, env } = { flags: [], env: {} }) {
  const child = spawn(node, [...FLAGS, ...flags, path.join(root, program), ...args], {
    stdio: 'inherit',
    env: {
      // With compiled code from this cache, a program starts in half the time.
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

/**
 * Removes a folder that can be made again. It is no error if the folder cannot be removed, because it only takes space.
 */
export function removeQuietly(folder) {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {}
}

/** Returns the folder `zoetrope` in the user's folder for caches, according to XDG. */
function userCache() {
  try {
    return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'zoetrope');
  } catch {
    return undefined;
  }
}

/** Installs the locked packages of a folder, without running install scripts, because no package needs its script. */
export async function npmCi(node, cwd, flags = []) {
  const ci = ['ci', '--ignore-scripts', ...flags];
  if (await writeAddresses(node, cwd)) {
    // A registry can keep its files elsewhere. Then npm has to ask it, and this attempt must fail soon and quietly.
    const { code } = await npm(node, cwd, [...ci, '--fetch-retries=0'], 'ignore');
    removeAddresses(cwd);
    if (code === 0) return;
  }
  if ((await npm(node, cwd, ci, 2)).code !== 0)
    fail(`npm ci failed in ${cwd}; see its message above. Can this machine reach the npm registry?`);
}

/** npm prefers this file to `package-lock.json`. */
const ADDRESSES = 'npm-shrinkwrap.json';
/** The folders that have such a file. */
const addressed = new Set();

/**
 * Writes the lock file of a folder again, with the address of each package. The committed lock files name no registry, so
 * npm would first read a document about all versions of each package, which takes as long as the installation.
 * @returns whether there is such a file. Without it, npm asks the registry
 */
async function writeAddresses(node, cwd) {
  const lock = JSON.parse(fs.readFileSync(path.join(cwd, 'package-lock.json'), 'utf8'));
  const { code, output } = await npm(node, cwd, ['config', 'list', '--json'], 'ignore');
  if (code !== 0) return false;
  const config = JSON.parse(output);
  for (const [folder, entry] of Object.entries(lock.packages)) {
    // A package without a hash is not from a registry.
    if (entry.integrity === undefined || entry.resolved !== undefined) continue;
    const name = entry.name ?? folder.split('node_modules/').at(-1);
    const [scope, base] = name.startsWith('@') ? name.split('/') : ['', name];
    const registry = (config[`${scope}:registry`] ?? config.registry).replace(/\/+$/, '');
    entry.resolved = `${registry}/${name}/-/${base}-${entry.version}.tgz`;
  }
  try {
    addressed.add(cwd);
    fs.writeFileSync(path.join(cwd, ADDRESSES), JSON.stringify(lock));
    return true;
  } catch {
    return false; // npm says better why it cannot write to this folder
  }
}

function removeAddresses(cwd) {
  fs.rmSync(path.join(cwd, ADDRESSES), { force: true });
  addressed.delete(cwd);
}
process.on('exit', () => addressed.forEach(removeAddresses));

/**
 * Runs npm with the new Node, because npm chooses packages for the Node that runs it.
 * @param errors where its messages go
 * @returns its exit code, and its standard output
 */
async function npm(node, cwd, args, errors) {
  // Output is reduced, because several installs share the terminal, and their progress displays would overwrite each
  // other.
  const all = [...args, '--no-fund', '--no-audit', '--no-progress', '--loglevel=error'];
  const cli = findNpm();
  const env = { ...process.env, PATH: [path.dirname(node), process.env.PATH].join(path.delimiter) };
  const options = { cwd, stdio: ['ignore', 'pipe', errors], env };
  const child = cli
    ? spawn(node, [cli, ...all], options)
    : spawn('npm', all, { ...options, shell: process.platform === 'win32' });
  const [code, output] = await Promise.all([exitOf(child), text(child.stdout).catch(() => '')]);
  return { code, output };
}

/** The processes that install or make files. They end together with this process. */
const preparing = new Set();
process.on('exit', () => {
  for (const child of preparing) child.kill('SIGKILL');
});

/** Returns the exit code of a process, or null if it could not be started or a signal ended it. */
export async function exitOf(child) {
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

/** Ends this process and its children on a signal. */
function endBySignal(signal) {
  process.exit(128 + os.constants.signals[signal]);
}

function findNpm() {
  const { npm_execpath: cli } = process.env;
  return cli && /npm-cli\.js$/.test(cli) && fs.existsSync(cli) ? cli : undefined;
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}
