import type { Program } from '../../platform/process/index.ts';

/**
 * Processor seconds after which the system ends a worker, should the service fail to; a worker is replaced
 * long before, see RETIRE_CPU_SECONDS.
 */
const CPU_SECONDS = 1200;

/** How a worker shares the cores: after what serves, or only where nothing else wants them. */
export type Schedule = 'low' | 'idle';

/**
 * Linux makes whoever wakes up wait for a task at low priority to end its slice, some milliseconds each time; a task of the
 * idle class goes at once.
 */
const SCHEDULES: Record<Schedule, string> = {
  low: 'if command -v nice >/dev/null; then exec nice -n 10 "$@"; else exec "$@"; fi',
  idle: 'if chrt -i 0 true 2>/dev/null; then exec chrt -i 0 "$@"; elif command -v nice >/dev/null; then exec nice -n 19 "$@"; else exec "$@"; fi',
};

/** Bounds on everything a decoder could take too much of. What a system does not know is left out there. */
const BOUNDS = [
  'ulimit -c 0 2>/dev/null', // no core files
  'ulimit -f 0 2>/dev/null', // and no other files either: previews travel through the channel
  `ulimit -t ${CPU_SECONDS} 2>/dev/null`,
  'ulimit -v "$1" 2>/dev/null',
  'shift',
];

/** A worker as a program to start. */
export function workerProgram(memoryMib: number, schedule: Schedule): Program {
  return {
    entry: new URL('./worker.ts', import.meta.url),
    env: {
      UV_THREADPOOL_SIZE: '1',
      MALLOC_ARENA_MAX: '2', // many arenas fragment: memory would grow with every job
    },
    wrap: (command) => (process.platform === 'win32' ? command : bounded(command, memoryMib, schedule)),
  };
}

function bounded(command: readonly string[], memoryMib: number, schedule: Schedule): string[] {
  return ['sh', '-c', [...BOUNDS, SCHEDULES[schedule]].join('; '), 'sh', String(memoryMib * 1024), ...command];
}
