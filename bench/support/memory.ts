import fs from 'node:fs';

/** Clock ticks per second on Linux: USER_HZ. */
const TICKS_PER_SECOND = 100;

/** One of the service's processes and its memory, in MB. */
export interface ProcessMemory {
  name: string;
  /** Resident set size. */
  rss: number;
  /** Proportional set size. A page that several processes share is divided among them. */
  pss: number;
}

/** Returns the process, its children and their children (Linux), each with its command line. */
export function processTree(pid: number): { pid: number; command: string }[] {
  const children = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .flatMap((name) => processTree(Number(name)));
  return [{ pid, command: readProc(pid, 'cmdline').replaceAll('\0', ' ') }, ...children];
}

/** Returns the memory of each of the service's processes. */
export function memoryOf(pid: number): ProcessMemory[] {
  return processTree(pid).map(({ pid, command }) => {
    const rollup = readProc(pid, 'smaps_rollup');
    const kilobytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
    const name = /\/(?:src|bundle)\/(\w+)[/-]/.exec(command)?.[1] ?? 'serve';
    return { name, rss: kilobytes('Rss') / 1024, pss: kilobytes('Pss') / 1024 };
  });
}

/**
 * Returns the CPU seconds used so far by the whole machine, and by a process with its descendants. The difference is
 * the CPU time of other programs.
 */
export function machineSeconds(pid: number): { all: number; own: number } {
  const [user, nice, system, , , irq, softirq] = readProc('.', 'stat')
    .split('\n', 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const ticks = processTree(pid).map(({ pid }) => {
    const fields = readProc(pid, 'stat').split(') ').at(-1)!.split(' ').map(Number);
    return fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0);
  });
  return {
    all: (user! + nice! + system! + irq! + softirq!) / TICKS_PER_SECOND,
    own: ticks.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND,
  };
}

function parentOf(pid: string): number {
  // The command in brackets can contain any characters, even brackets.
  const [, parent] = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return Number(parent);
}

/** Reads a file of a process in /proc. Returns an empty string if the process has ended. */
function readProc(pid: number | string, file: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
