/**
 * Returns a LIKE pattern for lower-case strings that contain this text. Only ASCII letters are changed to lower case,
 * as in the databases.
 */
export function containing(text: string): string {
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return `%${lower.replace(/[\\%]/g, '_')}%`;
}
