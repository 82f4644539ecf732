import fs from 'node:fs';
import path from 'node:path';

/**
 * Code that each thread of a service that answers requests runs before its own: faults that nothing outside can cause.
 * @param code statements; `n` is the number of the thread, `fs` the module
 * @returns what the environment of the service needs
 */
export function preload(folder: string, code: string): Record<string, string> {
  return preloadWhere(folder, '!isMainThread && n !== undefined && workerData.port !== undefined', code);
}

/** The same for the main thread of the service and of its commands. */
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
