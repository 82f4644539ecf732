import v8 from 'node:v8';
import vm from 'node:vm';

/** Requests that began on the old build have ended by then. */
const COLLECT_AFTER_MS = 10_000;

let timer: NodeJS.Timeout | undefined;

/**
 * Collects this thread's garbage a moment after a build was swapped. V8 does not count shared memory towards the size of
 * a thread's heap, so by itself it sees no reason to collect, and keeps several old builds. It takes about 20 ms.
 */
export function collectAfterSwap(): void {
  clearTimeout(timer);
  timer = setTimeout(collect, COLLECT_AFTER_MS).unref();
}

function collect(): void {
  // A new context has `gc` as soon as the flag is set, which Node offers no other way at run time.
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc') as () => void;
  gc();
}
