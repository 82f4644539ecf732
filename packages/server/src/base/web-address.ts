import net from 'node:net';

/** Maximum length of a URL, in characters. */
const MAX_LENGTH = 2_000;
/**
 * Characters that hide or reorder the text around them. A URL with such a character does not look like the real URL.
 */
const DECEPTIVE = /[\p{Cc}\u2028\u2029]|\p{Bidi_Control}/u;

/**
 * Reads a URL of a file. The URL comes from a stranger. Only this function reads such URLs, so that the shown URL is
 * always the URL that is fetched.
 * @param schemes the schemes that are allowed
 * @returns the canonical URL without its fragment, or the reason why the URL is refused
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
  // The length is checked again, because escapes can make the URL longer.
  if (url.href.length > MAX_LENGTH) return { refused: `must have at most ${MAX_LENGTH} characters when it is escaped` };
  return { url: url.href };
}

const LOOPBACK = new net.BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether only this machine can reach a host. @param host a name or an address, with or without brackets */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare === 'localhost') return true;
  const version = net.isIP(bare);
  return version !== 0 && LOOPBACK.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}
