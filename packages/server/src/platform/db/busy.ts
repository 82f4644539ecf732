/** Maximum time that a write waits for another process to finish writing, and the time between two checks. */
export const PATIENCE_MS = 10_000;
export const LOOK_MS = 5;

const FULL = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);

/** Returns whether the disk was full. */
export function isFull(error: unknown): boolean {
  return FULL.has((error as { code?: string }).code ?? '');
}

/** Returns whether SQLite failed because another process is writing. */
export function isBusy(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === 'SQLITE_BUSY' || code === 'SQLITE_BUSY_RECOVERY' || code === 'SQLITE_BUSY_TIMEOUT';
}
