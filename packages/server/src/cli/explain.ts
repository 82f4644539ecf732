import { CommanderError } from 'commander';
import { OperatorError, ServiceError } from '../base/errors.ts';

const DISK_FULL = new Set(['ENOSPC', 'SQLITE_FULL', 'EDQUOT']);

/** Says what went wrong in words an operator can act on. @returns the exit code */
export function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isAbort(error)) {
    console.error('Stopped. Run the command again to go on from here.');
    return 130;
  }
  const { code } = error as NodeJS.ErrnoException;
  if (isDiskFull(error)) {
    console.error('The disk of the data folder (ZOETROPE_DATA) is full. Free some space and run the command again.');
    console.error('Nothing that was taken in is lost.');
    return 1;
  }
  if (error instanceof OperatorError) console.error(error.message);
  else if (error instanceof ServiceError) console.error([error.message, ...reasonOf(error)].join(': '));
  else console.error(`This should not have happened${code ? ` (${code})` : ''}:`, error);
  return 1;
}

/** Callers of the service are not told of it; who stands before the machine is. */
function reasonOf({ cause }: ServiceError): string[] {
  return cause instanceof Error && cause.message !== '' ? [cause.message] : [];
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Stopped');
}

/** The message may come from any depth: a file, the database, or the media room's answer to either. */
function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (DISK_FULL.has((cause as NodeJS.ErrnoException).code ?? '')) return true;
  }
  return false;
}
