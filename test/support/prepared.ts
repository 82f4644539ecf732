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

/** The parts that all projects of a run share. */
interface Shared {
  prepared: string;
  keeper: string;
  stop(): Promise<void>;
}

/** The test runner loads this file once for each project, but always in the same process. */
const run = globalThis as typeof globalThis & { zoetropeRun?: { shared: Promise<Shared>; users: number } };

/** Creates the prepared folder and the keeper of shared servers before the first test file, and removes both at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  run.zoetropeRun ??= { shared: start(), users: 0 };
  const { zoetropeRun } = run;
  zoetropeRun.users++;
  const { prepared, keeper, stop } = await zoetropeRun.shared;
  project.provide('prepared', prepared);
  project.provide('keeper', keeper);
  return async () => {
    if (--zoetropeRun.users === 0) await stop();
  };
}

async function start(): Promise<Shared> {
  const prepared = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-prepared-'));
  const program = [...process.execArgv, '--conditions=zoetrope', path.resolve('test/support/keeper.ts'), prepared];
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [keeper] = (await once(readline.createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    prepared,
    keeper,
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      fs.rmSync(prepared, { recursive: true, force: true });
    },
  };
}
