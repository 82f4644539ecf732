import { COMMANDS, forTerminal } from '../base/terminal.ts';

/** Prints the result of a command. */
export function print(text: string): void {
  console.log(forTerminal(text));
}

/** Prints a message that is not part of the result, such as an error or the progress. */
export function tell(text: string): void {
  console.error(forTerminal(text));
}

/** Returns a value as JSON in one line, with control characters and direction marks in escaped form. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(
    COMMANDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
