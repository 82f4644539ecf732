import { execFile } from 'node:child_process';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { exists, writeWhole } from '../files.ts';
import { describeFluent } from './fluent-names.ts';

const packages = ['1', '2', '3', '4'].map((part) => ({
  name: `@lobehub/fluent-emoji-anim-${part}`,
  version: '1.0.0',
  folder: `anim-${part}`,
}));

/** Thrown if the emoji cannot be fetched. The message says what to do about the problem. */
export class FluentError extends Error {
  override readonly name = 'FluentError';
}

export interface FluentOptions {
  /** Called after every package. */
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
  /** Fetches a package. Default: npm. */
  install?(spec: string, folder: string, signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Fetches Microsoft's animated Fluent emoji (MIT, about 160 MB per package) into `folder` with npm, and writes
 * `manifest.jsonl` for the animated files. A package that is already in the folder is not fetched again.
 * @throws FluentError when npm or the network is missing
 */
export async function fetchFluent(folder: string, options: FluentOptions = {}): Promise<string> {
  const { install = installWithNpm, signal } = options;
  const lines: string[] = [];
  for (const [done, part] of packages.entries()) {
    signal?.throwIfAborted();
    const home = join(folder, part.folder);
    const inside = join(home, 'node_modules', ...part.name.split('/'));
    // If a package is in place, it is complete, because npm renames a package only when it is complete.
    if (!(await exists(join(inside, 'package.json')))) {
      await mkdir(home, { recursive: true });
      await install(`${part.name}@${part.version}`, home, signal);
    }
    lines.push(...(await describeAssets(folder, join(inside, 'assets'))));
    options.onProgress?.(done + 1, packages.length);
  }
  const manifest = join(folder, 'manifest.jsonl');
  await writeWhole(manifest, lines.join(''));
  return manifest;
}

async function describeAssets(folder: string, assets: string): Promise<string[]> {
  const lines: string[] = [];
  for (const name of (await readdir(assets)).sort()) {
    const code = /^([0-9a-f-]+)\.webp$/.exec(name)?.[1];
    const known = code === undefined ? undefined : describeFluent(code);
    if (!known || !(await isAnimated(join(assets, name)))) continue;
    const file = relative(folder, join(assets, name)).split(sep).join('/');
    lines.push(`${JSON.stringify({ file, ...known, lang: 'en', source: 'starter:fluent' })}\n`);
  }
  return lines;
}

/** Returns whether a file is animated. The flags of a WebP's first chunk, VP8X, contain this information. */
async function isAnimated(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(21), 0, 21, 0);
    return bytesRead === 21 && buffer.toString('latin1', 8, 16) === 'WEBPVP8X' && (buffer[20]! & 2) !== 0;
  } finally {
    await handle.close();
  }
}

/** Runs npm with the operator's own registry settings. No code of the package is executed. */
async function installWithNpm(spec: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const flags = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  const words = ['install', '--prefix', folder, ...flags, spec];
  // `npm start` sets this variable, so npm is found even if it is not on the PATH.
  const npm = process.env['npm_execpath'];
  const [command, args] = npm?.endsWith('npm-cli.js') ? [process.execPath, [npm, ...words]] : ['npm', words];
  try {
    await promisify(execFile)(command, args, {
      ...(signal ? { signal } : {}),
      // On Windows npm is a script, which only a shell can start.
      shell: process.platform === 'win32' && command === 'npm',
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw fetchError(spec, error as NodeJS.ErrnoException & { stderr?: string });
  }
}

function fetchError(spec: string, error: NodeJS.ErrnoException & { stderr?: string }): FluentError {
  if (error.code === 'ENOENT') {
    return new FluentError(
      'starter:fluent is downloaded with npm, but npm was not found; install it or add it to the PATH',
    );
  }
  const said = (error.stderr ?? '').split('\n').filter((line) => line.startsWith('npm error'));
  const reason = said
    .slice(0, 3)
    .map((line) => line.slice('npm error '.length).trim())
    .join('; ');
  return new FluentError(
    `npm could not fetch ${spec}: ${reason || error.message}. Check the network and the registry that npm uses`,
    { cause: error },
  );
}
