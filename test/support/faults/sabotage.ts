import fs from 'node:fs';
import path from 'node:path';

/**
 * Runs code in each serving thread of a service before the thread's own code, to cause faults that cannot be caused
 * from outside.
 * @param code statements; `n` is the number of the thread, and `fs` is Node's module
 * @returns environment variables for the service
 */
export function preload(folder: string, code: string): Record<string, string> {
  return preloadWhere(folder, '!isMainThread && n !== undefined && workerData.port !== undefined', code);
}

/** Runs code like `preload`, but in the main thread of the service and of its commands. */
export function preloadMain(folder: string, code: string): Record<string, string> {
  return preloadWhere(folder, 'isMainThread', code);
}

/** Sets the clock of a command and of all its threads and processes. @param ms how far it is ahead */
export function preloadClock(folder: string, ms: number): Record<string, string> {
  const code = `
    const Right = Date;
    globalThis.Date = class extends Right {
      constructor(...args) { super(...(args.length === 0 ? [Right.now() + ${ms}] : args)); }
      static now() { return Right.now() + ${ms}; }
    };`;
  return preloadWhere(folder, 'true', code);
}

function preloadWhere(folder: string, condition: string, code: string): Record<string, string> {
  const file = path.join(folder, 'preload.mjs');
  fs.writeFileSync(
    file,
    `import fs from 'node:fs';
     import { isMainThread, workerData } from 'node:worker_threads';
     const n = workerData?.thread;
     if (${condition}) { ${code} }`,
  );
  return { NODE_OPTIONS: `--import=${file}` };
}
