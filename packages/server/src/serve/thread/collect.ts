import v8 from 'node:v8';
import vm from 'node:vm';

/** Delay after which all requests have ended that started with the old build. */
const COLLECT_AFTER_MS = 10_000;

let timer: NodeJS.Timeout | undefined;

/**
 * Collects this thread's garbage shortly after a build was swapped. Without this, V8 would keep several old builds in
 * memory, because it does not count shared memory towards a thread's heap. Takes about 20 ms.
 */
export function collectAfterSwap(): void {
  clearTimeout(timer);
  timer = setTimeout(collect, COLLECT_AFTER_MS).unref();
}

function collect(): void {
  // A new context has the function `gc` when this flag is set. Node has no other way of starting the garbage collector
  // at run time.
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc') as () => void;
  gc();
}
