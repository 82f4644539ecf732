/** Matches names that are a hash or a number. Such names say nothing about a picture. */
const MEANINGLESS = /^(?:[0-9a-f]{16,}|\d+)$/i;

/**
 * Returns the words in a file or folder name. For example, `highFive_party-7.gif` becomes "high Five party 7". The
 * result is empty for a name that is only a hash or a number.
 */
export function wordsOfName(name: string): string {
  const bare = name.replace(/\.(gif|webp)$/i, '').normalize('NFC');
  if (MEANINGLESS.test(bare)) return '';
  return oneLine(bare.replace(/[_\-+.~]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}

/** Returns the text on one line, without control characters. A terminal would execute control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Returns the text without control characters. The text can have several lines. */
export function withoutControls(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, ' ');
}
