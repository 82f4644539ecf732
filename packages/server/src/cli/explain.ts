import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { DatabaseAway, OperatorError, ServiceError } from '../base/errors.ts';
import { tell } from './print.ts';

const DISK_FULL = new Set(['ENOSPC', 'SQLITE_FULL', 'EDQUOT']);

/**
 * Prints an error with advice for the operator.
 * @param isQuiet whether to print nothing about a command that was stopped. When a service ends, it stops the commands
 * that it started
 * @returns the exit code
 */
export function explain(error: unknown, isQuiet = false): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isAbort(error)) {
    if (!isQuiet) tell('Stopped. To continue, run the command again.');
    return 130;
  }
  const { code } = error as NodeJS.ErrnoException;
  if (isDiskFull(error)) {
    tell('The disk of the data folder (ZOETROPE_DATA) is full. Free some space and run the command again.');
    tell('All GIFs added so far have been saved.');
    return 1;
  }
  if (error instanceof OperatorError) tell(error.message);
  else if (error instanceof DatabaseAway) tell(`${error.message}. When it is available again, repeat the command.`);
  else if (error instanceof ServiceError) tell([error.message, ...reasonOf(error)].join(': '));
  else tell(`Unexpected error${code ? ` (${code})` : ''}: ${inspect(error)}`);
  return 1;
}

/**
 * Returns the message of an error's cause, if there is a cause. Callers of the service do not see this message, but
 * operators need it.
 */
function reasonOf({ cause }: ServiceError): string[] {
  return cause instanceof Error && cause.message !== '' ? [cause.message] : [];
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Stopped');
}

/**
 * Returns whether the disk is full. Looks for the code in all causes, because the error can come from a file, the
 * database or the media room.
 */
function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (DISK_FULL.has((cause as NodeJS.ErrnoException).code ?? '')) return true;
  }
  return false;
}
