import childProcess, { type SpawnOptions } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { PROGRAM } from '../server.ts';

/*
 * Tests of the sources start media workers and models more than a hundred times. If `npm test` has bundled the service,
 * they start from the bundle, because removing the types from the sources takes most of the time of each start.
 */

const SOURCES = path.resolve('packages/server/src');
const { spawn } = childProcess;

/**
 * Returns the path of the bundle if the argument is a source file of a room, and the file has a bundle. Files outside
 * of rooms start the whole service, and tests that run them need the sources.
 */
function bundled(argument: string): string {
  if (!argument.startsWith(SOURCES) || !argument.endsWith('.ts') || path.dirname(argument) === SOURCES) return argument;
  const name = path.relative(SOURCES, argument).slice(0, -'.ts'.length).replaceAll(path.sep, '-');
  const file = path.join(path.dirname(process.env[PROGRAM]!), `${name}.mjs`);
  return fs.existsSync(file) ? file : argument;
}

// Several test files share a process, and each of them loads this file.
if (process.env[PROGRAM] !== undefined && spawn.name !== bundledSpawn.name) {
  childProcess.spawn = bundledSpawn as typeof spawn;
  syncBuiltinESMExports();
}

function bundledSpawn(command: string, args: readonly string[] | SpawnOptions = [], options: SpawnOptions = {}) {
  return Array.isArray(args) ? spawn(command, args.map(bundled), options) : spawn(command, args as SpawnOptions);
}
