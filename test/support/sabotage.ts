import fs from 'node:fs';
import path from 'node:path';

/**
 * Runs code in each serving thread of a service before its own code, to cause faults that cannot come from outside.
 * @param code statements; `n` is the number of the thread, and `fs` is Node's module
 * @returns environment variables for the service
 */
export function preload(folder: string, code: string): Record<string, string> {
  return preloadWhere(folder, '!isMainThread && n !== undefined && workerData.port !== undefined', code);
}

/** Does the same as `preload` for the main thread of the service and of its commands. */
export function preloadMain(folder: string, code: string): Record<string, string> {
  return preloadWhere(folder, 'isMainThread', code);
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
