import { CommanderError } from 'commander';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseAway, OperatorError, ServiceError } from '../base/errors.ts';
import { explain } from './explain.ts';

/** Explains an error. @returns the exit code and the printed text */
function explained(error: unknown, isQuiet = false): [code: number, text: string] {
  const lines: string[] = [];
  const print = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  onTestFinished(() => print.mockRestore());
  return [explain(error, isQuiet), lines.join('\n')];
}

test('a full disk is named, whichever part of the service noticed it', () => {
  const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  const deep = new ServiceError('internal', 'could not store', { cause: new Error('copying failed', { cause: full }) });
  for (const error of [full, deep]) {
    const [code, text] = explained(error);
    expect(code).toBe(1);
    expect(text).toContain('(ZOETROPE_DATA) is full');
    expect(text).not.toContain('ENOSPC');
  }
});

test("an operator sees the cause of an error that callers do not see, but no stack trace for one's own mistakes", () => {
  const cause = new Error('connect ECONNREFUSED 10.0.0.1');
  const away = new ServiceError('upstream_unavailable', 'The store is away', { cause });
  expect(explained(away)).toEqual([1, 'The store is away: connect ECONNREFUSED 10.0.0.1']);
  expect(explained(new OperatorError('ZOETROPE_PORT is wrong'))).toEqual([1, 'ZOETROPE_PORT is wrong']);
});

test('if the database is unavailable, the message explains what to do, without a stack trace', () => {
  expect(explained(new DatabaseAway('The database is away'))).toEqual([
    1,
    'The database is away. When it is available again, repeat the command.',
  ]);
});

test('the exit code distinguishes a wrong command from a command that only shows its help', () => {
  expect(explained(new CommanderError(0, 'commander.helpDisplayed', ''))).toEqual([0, '']);
  expect(explained(new CommanderError(1, 'commander.unknownOption', 'unknown option'))).toEqual([2, '']);
});

test('a stopped command explains how to continue, unless it shows no progress', () => {
  const stopped = new DOMException('This operation was aborted', 'AbortError');
  expect(explained(stopped)).toEqual([130, 'Stopped. To continue, run the command again.']);
  expect(explained(stopped, true)).toEqual([130, '']);
});
