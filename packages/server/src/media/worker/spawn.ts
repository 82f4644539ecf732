import { execNice, type Program } from '../../platform/process/index.ts';

/**
 * CPU seconds after which the operating system kills a worker, in case the service fails to kill it. Workers are
 * normally replaced much earlier (see RETIRE_CPU_SECONDS).
 */
const CPU_SECONDS = 1200;

/** CPU priority of a worker. `low` is lower than serving. A worker with `idle` runs only when the CPU is idle. */
export type Schedule = 'low' | 'idle';

/**
 * On Linux, a task that wakes up waits a few milliseconds until a low-priority task ends its time slice. Idle-class
 * tasks are preempted immediately.
 */
const SCHEDULES: Record<Schedule, string> = {
  low: execNice(10),
  idle: `if chrt -i 0 true 2>/dev/null; then exec chrt -i 0 "$@"; fi; ${execNice(19)}`,
};

/** Resource limits for decoders, on systems that support them. */
const BOUNDS = [
  'ulimit -c 0 2>/dev/null', // no core files
  'ulimit -f 0 2>/dev/null', // the worker writes no files, because previews are sent over the channel
  `ulimit -t ${CPU_SECONDS} 2>/dev/null`,
  'ulimit -v "$1" 2>/dev/null',
  'shift',
];

/** Returns the program that starts a worker. */
export function workerProgram(memoryMib: number, schedule: Schedule): Program {
  return {
    entry: new URL('./worker.ts', import.meta.url),
    env: {
      UV_THREADPOOL_SIZE: '1',
      MALLOC_ARENA_MAX: '2', // with many arenas, memory would fragment and grow with every job
    },
    wrap: (command) => (process.platform === 'win32' ? command : bounded(command, memoryMib, schedule)),
  };
}

function bounded(command: readonly string[], memoryMib: number, schedule: Schedule): string[] {
  return ['sh', '-c', [...BOUNDS, SCHEDULES[schedule]].join('; '), 'sh', String(memoryMib * 1024), ...command];
}
