/** Names that are a hash or a number say nothing about a picture. */
const MEANINGLESS = /^(?:[0-9a-f]{16,}|\d+)$/i;

/**
 * The words a file or folder name holds: separators and camelCase become spaces, hashes and bare numbers nothing.
 * `highFive_party-7.gif` is "high Five party 7".
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

/** The same of text that may have lines. */
export function withoutControls(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, ' ');
}
