/** Names that are a hash or a number say nothing about a picture. */
const MEANINGLESS = /^(?:[0-9a-f]{16,}|\d+)$/i;

/**
 * The words in a file or folder name: `highFive_party-7.gif` becomes "high Five party 7". Empty for a name that is only
 * a hash or a number.
 */
export function wordsOfName(name: string): string {
  const bare = name.replace(/\.(gif|webp)$/i, '').normalize('NFC');
  if (MEANINGLESS.test(bare)) return '';
  return oneLine(bare.replace(/[_\-+.~]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}

/** Text on one line, without control characters: a terminal would obey them. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** The same for text that can have several lines. */
export function withoutControls(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, ' ');
}
