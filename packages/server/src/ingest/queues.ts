/*
 * Kinds of jobs. If several machines share a catalogue and a job needs a file on one machine, the kind of the job
 * contains that machine's name. Only that machine's workers claim jobs of this kind.
 */

/** Returns the kind of a job that needs a file on this machine. @param machine empty if the catalogue is not shared */
export function hereKind(kind: 'source' | 'gif', machine: string): string {
  return machine === '' ? kind : `${kind} ${machine}`;
}

/** The kind of job for a file that all machines can read from the store. */
export const STAGED = 'staged';

/** The kinds of jobs for the rest of the starter catalogue and its files. Nobody waits for these jobs. */
export const LATER = 'later';
export const LATER_GIF = 'later gif';

/** The kinds of jobs that a machine's workers can do. */
export const kindsOf = {
  source: (machine: string) => (machine === '' ? ['source'] : ['source', hereKind('source', machine)]),
  later: () => [LATER],
  laterGif: () => [LATER_GIF],
  gif: (machine: string) => (machine === '' ? ['gif'] : [STAGED, hereKind('gif', machine)]),
  previews: () => ['previews'],
} as const;

/** The kinds of jobs that only this machine's workers can do. */
export function kindsOfMachine(machine: string): string[] {
  return [hereKind('source', machine), hereKind('gif', machine)];
}

/** Returns the machine whose files a kind of job needs; undefined if any machine can do the job. */
export function machineOfKind(kind: string): string | undefined {
  return /^(?:source|gif) (.+)$/.exec(kind)?.[1];
}

/**
 * Returns the key of a job for a file. The key contains the machine, because machines can have different files with the
 * same path.
 */
export function keyOf(name: string, machine: string): string {
  return machine === '' ? name : `${machine}:${name}`;
}
