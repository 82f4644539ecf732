/** Everything that would command a terminal or change the order of its text. Line breaks and tabs are allowed. */
const COMMANDS = /(?![\n\t])[\p{Cc}\u2028\u2029]|\p{Bidi_Control}/gu;

/** Prints the result of a command. */
export function print(text: string): void {
  console.log(forTerminal(text));
}

/** Prints a message that is not part of the result, such as an error or the progress. */
export function tell(text: string): void {
  console.error(forTerminal(text));
}

/**
 * Returns a text as a terminal can show it. Names, titles and reports are strangers' texts and can contain escape
 * sequences. Control characters and direction marks are replaced by `�`.
 */
export function forTerminal(text: string): string {
  return text.replace(COMMANDS, '\ufffd');
}

/** Returns a value as JSON in one line, with control characters and direction marks in escaped form. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(
    COMMANDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
