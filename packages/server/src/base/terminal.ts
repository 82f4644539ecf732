import { isatty } from 'node:tty';

const STANDARD_ERROR = 2;
/**
 * Matches characters that would control a terminal or change the order of its text. Line breaks and tabs are allowed.
 */
export const COMMANDS: RegExp = /(?![\n\t])[\p{Cc}\u2028\u2029]|\p{Bidi_Control}/gu;

/** The names of the levels of messages, by their numbers in the log. */
const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warning', 50: 'error', 60: 'error' };
/** Fields that a terminal shows in another form or does not need. */
const OMITTED: ReadonlySet<string> = new Set(['level', 'time', 'room', 'msg', 'err', 'id']);

/** Whether standard error is a terminal. Works on every thread. */
export function isForPeople(): boolean {
  return isatty(STANDARD_ERROR);
}

/**
 * Returns a text that is safe to show in a terminal. Control characters and direction marks are replaced by `�`,
 * because names, titles and reports come from strangers and can contain escape sequences.
 */
export function forTerminal(text: string): string {
  return text.replace(COMMANDS, '\ufffd');
}

/**
 * Converts a line of the log, which is JSON, to a line for people: the time, the level, the message, and other fields.
 */
export function describeLine(json: string): string {
  const line = JSON.parse(json) as Record<string, unknown>;
  const time = new Date(Number(line['time'])).toTimeString().slice(0, 8);
  const level = LEVELS[Number(line['level'])] ?? '';
  const room = line['room'] === undefined ? '' : `${line['room']}: `;
  const others = Object.entries(line).filter(([name, value]) => !OMITTED.has(name) && value !== null);
  const fields = others.map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const text = `${time} ${level.padEnd(7)} ${room}${line['msg'] ?? ''}${fields.join('')}`;
  return `${forTerminal([text, ...causesOf(line['err'])].join('\n'))}\n`;
}

/** Returns the known facts about an error as indented lines, with its stack if it has one. */
function causesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { stack, message } = error as { stack?: string; message?: string };
  return (stack ?? message ?? '').split('\n').map((line) => `  ${line.trim()}`);
}
