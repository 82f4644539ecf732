import { expect, test } from 'vitest';
import { describeEnd, isDead, runCommand } from './run-command.ts';

test.each([
  [{ code: 3, signal: null, error: undefined }, 'ended with code 3', false],
  [{ code: null, signal: 'SIGKILL', error: undefined }, 'was stopped by SIGKILL', true],
  [{ code: null, signal: null, error: new Error('no memory') }, 'could not be started (no memory)', true],
] as const)('how a command ended is described: %j', (ended, text, dead) => {
  expect([describeEnd(ended), isDead(ended)]).toEqual([text, dead]);
});

test('a command that starts after the service was told to stop is stopped immediately', async () => {
  const ended = await runCommand(AbortSignal.abort(), '--version');
  expect(ended).toMatchObject({ signal: 'SIGTERM', error: undefined });
});
