import pino from 'pino';
import { expect, test } from 'vitest';
import { describeLine } from './terminal.ts';

/** Returns the lines that a terminal shows when `act` logs. */
function shown(act: (log: pino.Logger) => void): string[] {
  const lines: string[] = [];
  act(pino({ base: null }, { write: (line) => void lines.push(describeLine(line)) }));
  return lines;
}

test('a line has the time, the level, the part of the service, the message, and other facts', () => {
  const [line] = shown((log) => log.child({ room: 'payments' }).warn({ order: 'a', sats: 3 }, 'it is not proven'));
  expect(line).toMatch(/^\d\d:\d\d:\d\d warning payments: it is not proven order=a sats=3\n$/);
});

test('an error is printed after the log message, with one line for each call of its stack', () => {
  const [line] = shown((log) => log.error({ err: new Error('the disk is full') }, 'could not save'));
  const [first, second, third] = line!.split('\n');
  expect(first).toMatch(/ error {3}could not save$/);
  expect(second).toBe('  Error: the disk is full');
  expect(third).toMatch(/^ {2}at /);
});

test("strangers' texts cannot control the terminal", () => {
  const [line] = shown((log) => log.info({ q: '\u001b[2Jcat' }, 'request'));
  expect(line).toContain('q=\ufffd[2Jcat');
});
