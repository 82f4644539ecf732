import { ServiceError } from '../base/errors.ts';

/**
 * Minimum number of characters that are not wildcards. A pattern with fewer characters does not identify an app, unless
 * it is the app's name and a slash, as in `Wisp/*`.
 */
const MIN_LITERALS = 6;
const NAMED = /^[\w.-]{3,}\//;
const MAX_LENGTH = 200;

/** Matches printable ASCII, because apps send only printable ASCII. */
const PRINTABLE = /^[ -~]*$/;

/**
 * Returns the canonical form of a User-Agent pattern, in which `*` matches any characters or none.
 * @throws ServiceError `validation`
 */
export function canonicalPattern(text: string): string {
  const pattern = text.trim().replace(/\*+/g, '*');
  const literals = pattern.replaceAll('*', '').length;
  const isLong = literals >= MIN_LITERALS || NAMED.test(pattern);
  if (!isLong || pattern.length > MAX_LENGTH || !PRINTABLE.test(pattern)) {
    throw new ServiceError(
      'validation',
      `User-Agent must be printable ASCII of at most ${MAX_LENGTH} characters, and must either contain at least ${MIN_LITERALS} characters other than * or start with the app name and a slash`,
    );
  }
  if (LIBRARY.test(pattern) || EVERYBODYS.some((text) => matchesPattern(pattern, text))) {
    throw new ServiceError(
      'validation',
      `User-Agent ${pattern} is also sent by browsers or by a library that many apps use; register one that names your app`,
    );
  }
  return pattern;
}

/** Matches User-Agents of HTTP libraries and tools. */
const LIBRARY =
  /^(?:aiohttp|alamofire|apache-httpclient|axios|bun|cfnetwork|curl|dalvik|dart|deno|electron|go-http-client|got|guzzlehttp|hyper|java|java-http-client|ktor-client|libwww-perl|mozilla|node|node-fetch|okhttp|postmanruntime|python|python-requests|python-urllib|reqwest|ruby|undici|wget)\*?(?:\/[\d.*]*\*?)?$/i;

/** Common User-Agents of browsers and web views. A pattern that matches one of them would admit strangers. */
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
  // The User-Agents of apps on Apple devices. `%` stands for the app's name, because no app has this name.
  '% CFNetwork/3826.600.41 Darwin/24.6.0',
  '% (com.example.app; build:1; iOS 18.6.0) Alamofire/5.10.2',
  ...['10', '11', '12', '13', '14', '15', '16'].flatMap((version) => [
    `Dalvik/2.1.0 (Linux; U; Android ${version}; SM-S911B Build/AP3A.240905.015)`,
    `% (Linux; Android ${version}; SM-S911B; wv) Mobile`,
    `%/1.0 (Android ${version})`,
  ]),
  ...['16', '17', '18', '26'].map((version) => `%/1.0 (iPhone; iOS ${version}.0; Scale/3.00)`),
];

/**
 * Returns whether a pattern matches a User-Agent. Searches each literal once, starting after the previous literal, so
 * that no pattern takes exponential time.
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
