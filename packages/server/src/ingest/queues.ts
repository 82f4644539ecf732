/*
 * Workers of several machines can share a catalogue. A job whose file only one machine can read is of a kind that only that
 * machine's workers claim.
 */

/** The kind of a job that needs a file of this machine. @param machine empty if the catalogue is not shared */
export function hereKind(kind: string, machine: string): string {
  return machine === '' ? kind : `${kind} ${machine}`;
}

/** The kinds of jobs that this machine's workers can do. */
export function kindsHere(kind: string, machine: string): string[] {
  return machine === '' ? [kind] : [kind, hereKind(kind, machine)];
}
