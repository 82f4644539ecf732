import v8 from 'node:v8';
import vm from 'node:vm';

/** Delay after which all requests that started on the old build have ended. */
const COLLECT_AFTER_MS = 10_000;

let timer: NodeJS.Timeout | undefined;

/**
 * Collects this thread's garbage shortly after a build was swapped. V8 does not count shared memory towards a thread's
 * heap, so V8 would otherwise keep several old builds in memory. Takes about 20 ms.
 */
export function collectAfterSwap(): void {
  clearTimeout(timer);
  timer = setTimeout(collect, COLLECT_AFTER_MS).unref();
}

function collect(): void {
  // A new context has `gc` when the flag is set. Node offers no other way at run time.
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc') as () => void;
  gc();
}
