import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that all test files in a run share, for data that takes long to make and never changes. */
    prepared: string;
  }
}

/** Creates the prepared folder and the keeper of shared servers before the first test file, and removes both at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-prepared-'));
  project.provide('prepared', folder);
  const program = [...process.execArgv, '--conditions=zoetrope', path.resolve('test/support/keeper.ts'), folder];
  const keeper = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = (await once(readline.createInterface({ input: keeper.stdout }), 'line')) as [string];
  project.provide('keeper', url);
  return async () => {
    const ended = once(keeper, 'exit');
    keeper.stdin.end();
    await ended;
    fs.rmSync(folder, { recursive: true, force: true });
  };
}
