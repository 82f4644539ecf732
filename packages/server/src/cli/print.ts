import { COMMANDS, forTerminal } from '../base/terminal.ts';

/** Prints the result of a command. */
export function print(text: string): void {
  console.log(forTerminal(text));
}

/** Prints a message that is not part of the result, such as an error or the progress. */
export function tell(text: string): void {
  console.error(forTerminal(text));
}

/** Maximum number of items in a printed list. */
const SHOWN = 20;

/** Returns the first 20 items as indented lines, and the number of the others, all of which `--json` prints. */
export function listItems(items: readonly string[], indent = '  '): string[] {
  const more = items.length - SHOWN;
  const rest = more > 0 ? [`${indent}... and ${more} more; --json lists all of them`] : [];
  return [...items.slice(0, SHOWN).map((item) => indent + item), ...rest];
}

/** Returns a value as JSON in one line, with control characters and direction marks in escaped form. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(
    COMMANDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
