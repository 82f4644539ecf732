import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PROGRAM } from '../server.ts';

const MANIFEST = 'packages/search/src/build/manifest.ts';
const MIGRATIONS = 'packages/server/src/service/migrations.ts';
/** A table that only the newer program knows. */
const NEWER_TABLE = `  '9999-newer': { up: (db) => db.schema.createTable('newer').addColumn('id', 'integer').execute() },\n`;
/** Folders that are made from the sources. */
const MADE = /\/(node_modules|dist|dist-types|bundle)$/;
const VITE = path.resolve('node_modules/vite/bin/vite.js');
/** This folder is linked, not copied, because it is large and does not change. */
const LINKED = 'packages/server/models';

/**
 * Makes a copy of the program that has an additional migration, and that writes and reads builds of a newer format.
 * @returns the path of its main module
 */
export function makeNewerProgram(folder: string): string {
  const isCopied = (file: string) => !MADE.test(file) && file !== LINKED;
  fs.cpSync('packages', path.join(folder, 'packages'), { recursive: true, filter: isCopied });
  link(LINKED, folder);
  for (const name of ['docs', 'tsconfig.base.json']) link(name, folder);
  const packages = path.join(folder, 'node_modules', '@zoetrope');
  fs.mkdirSync(packages, { recursive: true });
  for (const name of fs.readdirSync('packages')) {
    fs.symlinkSync(path.join(folder, 'packages', name), path.join(packages, name));
  }
  for (const name of fs.readdirSync('node_modules')) if (name !== '@zoetrope') link(`node_modules/${name}`, folder);
  const change = (name: string, what: RegExp, to: (found: string, version: string) => string) => {
    const file = path.join(folder, name);
    const text = fs.readFileSync(file, 'utf8');
    const newer = text.replace(what, to);
    if (newer === text) throw new Error(`${name} does not contain ${what}`);
    fs.writeFileSync(file, newer);
  };
  change(MANIFEST, /FORMAT_VERSION = (\d+)/, (_, version) => `FORMAT_VERSION = ${Number(version) + 1}`);
  change(MIGRATIONS, /DATA_MIGRATIONS = \{\n/, (found) => `${found}${NEWER_TABLE}`);
  return process.env[PROGRAM] === undefined ? path.join(folder, 'packages/server/src/main.ts') : bundle(folder);
}

/** Bundles the program, because its sources take three times as long to start. @returns the path of its main module */
function bundle(folder: string): string {
  const server = path.join(folder, 'packages/server');
  const { status, stderr } = spawnSync(process.execPath, [VITE, 'build', '--logLevel', 'warn', server], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the newer program cannot be bundled: ${stderr}`);
  return path.join(server, 'bundle/main.mjs');
}

function link(name: string, folder: string): void {
  fs.symlinkSync(path.resolve(name), path.join(folder, name));
}
