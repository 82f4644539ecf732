/*
 * Texts of strangers can end up in notes, on pages and in terminals. Characters that control a terminal or reorder the
 * text around them are removed or refused when a text arrives. `terminal.ts` replaces such characters when a text is
 * written to a terminal.
 */

/**
 * Direction marks that change the order of all text up to a closing mark, which can be missing. Marks that affect only
 * one place (U+200E, U+200F, U+061C) are allowed, because many texts in Arabic and Hebrew contain them, and they do no
 * harm.
 */
const REORDERING = '\\u202a-\\u202e\\u2066-\\u2069';
const SPACES = new RegExp(`[\\s\\p{Cc}${REORDERING}]+`, 'gu');
const CONTROLS = new RegExp(`(?!\n)[\\p{Cc}\\u2028\\u2029${REORDERING}]`, 'gu');

/** Returns the text on one line, without control characters and reordering marks. */
export function oneLine(text: string): string {
  return text.replace(SPACES, ' ').trim();
}

/** Maximum length of the reason for a decision, in characters. */
const MAX_REASON = 1_000;

/** Returns the reason for a decision in the form in which it is stored. */
export function keptReason(reason: string): string {
  return reason.trim().slice(0, MAX_REASON);
}

/** Returns the text without control characters and reordering marks. The text can have several lines. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, ' ');
}

/** Returns at most `length` characters of a text. An emoji at the end is not split. */
export function cutTo(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, '');
}

/**
 * Returns the reason why a text that somebody typed is refused, or undefined if it is accepted.
 * @param form whether the field has one line or several
 */
export function problemOfText(text: string, form: 'line' | 'lines'): string | undefined {
  if (form === 'line' && /[\n\r\u2028\u2029]/.test(text)) return 'must be on one line';
  const found = /(?![\n\r\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u.exec(text)?.[0];
  if (found === undefined) return undefined;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `must not contain control characters or marks that reorder text, such as U+${code}`;
}

/** Returns a number with the noun that it counts: `1 GIF`, `2 GIFs`. */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}
