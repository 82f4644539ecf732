/*
 * Kinds of jobs. If several machines share a catalogue, a job that needs a file of one machine is of a kind that only that
 * machine's workers claim.
 */

/** The kind of a job that needs a file of this machine. @param machine empty if the catalogue is not shared */
export function hereKind(kind: 'source' | 'gif', machine: string): string {
  return machine === '' ? kind : `${kind} ${machine}`;
}

/** Files that all machines can read from the store. */
export const STAGED = 'staged';

/** The kinds of jobs that a machine's workers can do. */
export const kindsOf = {
  source: (machine: string) => (machine === '' ? ['source'] : ['source', hereKind('source', machine)]),
  gif: (machine: string) => (machine === '' ? ['gif'] : [STAGED, hereKind('gif', machine)]),
  previews: () => ['previews'],
} as const;

/** The kinds of jobs that only this machine's workers can do. */
export function kindsOfMachine(machine: string): string[] {
  return [hereKind('source', machine), hereKind('gif', machine)];
}

/** The key of a job for a file. Machines can have different files with the same path. */
export function keyOf(name: string, machine: string): string {
  return machine === '' ? name : `${machine}:${name}`;
}
