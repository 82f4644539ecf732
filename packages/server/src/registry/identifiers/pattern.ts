import { ServiceError } from '../../base/errors.ts';

/** Fewer say nothing of one app, unless they are its name and a slash, as in `Wisp/*`. */
const MIN_LITERALS = 6;
const NAMED = /^[\w.-]{3,}\//;
const MAX_LENGTH = 200;

/** Printable ASCII: what apps write there. */
const PRINTABLE = /^[ -~]*$/;

/**
 * The form a User-Agent pattern is registered in: text in which `*` stands for any text, also none.
 * @throws ServiceError `validation`
 */
export function canonicalPattern(text: string): string {
  const pattern = text.trim().replace(/\*+/g, '*');
  const literals = pattern.replaceAll('*', '').length;
  const isLong = literals >= MIN_LITERALS || NAMED.test(pattern);
  if (!isLong || pattern.length > MAX_LENGTH || !PRINTABLE.test(pattern)) {
    throw new ServiceError(
      'validation',
      `User-Agent must be printable ASCII of at most ${MAX_LENGTH} characters, at least ${MIN_LITERALS} of them beside *, or begin with the name of the app and a slash`,
    );
  }
  if (LIBRARY.test(pattern) || EVERYBODYS.some((text) => matchesPattern(pattern, text))) {
    throw new ServiceError(
      'validation',
      `User-Agent ${pattern} is sent by browsers or by a library that many apps share; register one that names your app`,
    );
  }
  return pattern;
}

/** What HTTP libraries and tools call themselves. */
const LIBRARY =
  /^(?:aiohttp|alamofire|apache-httpclient|axios|bun|cfnetwork|curl|dalvik|dart|deno|electron|go-http-client|got|guzzlehttp|hyper|java|java-http-client|ktor-client|libwww-perl|mozilla|node|node-fetch|okhttp|postmanruntime|python|python-requests|python-urllib|reqwest|ruby|undici|wget)(?:\/[\d.*]*\*?)?$/i;

/** User-Agents of browsers and web views, as everybody sends them; a pattern that takes one of these takes strangers. */
const EVERYBODYS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9 Build/BP1A.250505.005)',
  'okhttp/4.12.0',
  'Dart/3.9 (dart:io)',
];

/**
 * Whether a User-Agent is one of a pattern's. Each literal is looked for once, from where the one before it ended, so the
 * time does not depend on how many ways there are.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const literals = pattern.split('*');
  if (literals.length === 1) return text === pattern;
  const first = literals[0]!;
  const last = literals.at(-1)!;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const literal of literals.slice(1, -1)) {
    const at = text.indexOf(literal, from);
    if (at < 0 || at + literal.length > end) return false;
    from = at + literal.length;
  }
  return true;
}
