/** Maximum length of a URL, in characters. */
const MAX_LENGTH = 2_000;
/** Characters that hide or reorder what is around them. A URL with one of them is not what it looks like. */
const DECEPTIVE = /[\p{Cc}\u2028\u2029]|\p{Bidi_Control}/u;

/**
 * Reads the URL of a file that strangers give. This is the only place where such URLs are read, so that what is shown is
 * always what is fetched.
 * @param schemes the schemes that are allowed
 * @returns the canonical URL without its fragment, or why it is refused
 */
export function readWebAddress(
  text: string,
  schemes: readonly ('http' | 'https')[] = ['http', 'https'],
): { url: string } | { refused: string } {
  if (text.length > MAX_LENGTH) return { refused: `must have at most ${MAX_LENGTH} characters` };
  if (DECEPTIVE.test(text)) return { refused: 'must not contain control characters or direction marks' };
  const url = URL.parse(text);
  if (url === null || !schemes.some((scheme) => url.protocol === `${scheme}:`)) {
    return { refused: `must start with ${schemes.map((scheme) => `${scheme}://`).join(' or ')} and a host` };
  }
  if (url.username !== '' || url.password !== '') return { refused: 'must not contain a user name or password' };
  url.hash = '';
  // Escapes can make the URL longer.
  if (url.href.length > MAX_LENGTH) return { refused: `must have at most ${MAX_LENGTH} characters when it is escaped` };
  return { url: url.href };
}
