import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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

/** Starts a worker process with an open channel; it shares no secret of the environment. */
export function spawnWorker(memoryMib: number, schedule: Schedule): ChildProcess {
  const command = [
    process.execPath,
    '--conditions=zoetrope',
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('./worker.ts', import.meta.url)),
  ];
  const [program, ...args] = process.platform === 'win32' ? command : bounded(command, memoryMib, schedule);
  return spawn(program!, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: {
      ...pick(['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR']),
      UV_THREADPOOL_SIZE: '1',
      MALLOC_ARENA_MAX: '2', // many arenas fragment: memory would grow with every job
    },
  });
}

function bounded(command: string[], memoryMib: number, schedule: Schedule): string[] {
  return ['sh', '-c', [...BOUNDS, SCHEDULES[schedule]].join('; '), 'sh', String(memoryMib * 1024), ...command];
}

function pick(names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.filter((name) => name in process.env).map((name) => [name, process.env[name]]));
}
