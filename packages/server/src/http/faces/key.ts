import type { IncomingMessage } from 'node:http';
import { isKey } from '../../identifiers/index.ts';

/** Paths of the faces. */
const FACE = /^\/(?:gifbox|gifverse|tenor|giphy|klipy)\//;
/** Matches KLIPY's paths, which contain the key. */
const KEY_IN_PATH = /^\/klipy\/api\/v1\/([^/?]+)(?=\/gifs\/)/;
const KLIPY = '/klipy/api/v1';
const KEYS: ReadonlySet<string> = new Set(['key', 'api_key']);
/** Parameters that identify the user or the app. This service does not need them. */
const TRACKING = ['client_key', 'customer_id', 'pingback_id', 'random_id', 'user_id', 'anon_id', 'username'];
const TAKEN: ReadonlySet<string> = new Set([...KEYS, ...TRACKING]);

/**
 * Moves the API key of a request to a face from its URL into the header Authorization, and removes parameters about the
 * user. Therefore no log and no cache ever contains them. A key that this service did not issue is ignored, because
 * some apps cannot omit the key. If the request has an origin, the key is not used. Other requests stay unchanged.
 * @returns the URL without the key
 */
export function takeKey(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const { headers } = request;
  const address = request.url!;
  if (!FACE.test(address)) return address;
  const inPath = KEY_IN_PATH.exec(address);
  const plain = inPath === null ? address : KLIPY + address.slice(inPath[0].length);
  const { left, key: given } = takeParameters(plain);
  const key = inPath?.[1] ?? given;
  request.url = left;
  const hasOrigin = headers.origin !== undefined && headers.origin !== 'null';
  if (key !== undefined && isKey(key) && !hasOrigin) headers.authorization ??= `Bearer ${key}`;
  return left;
}

/** Creates no lists, because every request to a face calls this function. */
function takeParameters(address: string): { left: string; key: string | undefined } {
  let left = address;
  let key: string | undefined;
  const start = left.indexOf('?');
  for (let at = start < 0 ? left.length : start + 1; at < left.length; ) {
    const next = left.indexOf('&', at);
    const end = next < 0 ? left.length : next;
    const equals = left.indexOf('=', at);
    const name = left.slice(at, equals < 0 || equals > end ? end : equals);
    if (!TAKEN.has(name)) {
      at = end + 1;
      continue;
    }
    if (KEYS.has(name)) key ??= left.slice(at + name.length + 1, end);
    left = next < 0 ? left.slice(0, at - 1) : left.slice(0, at) + left.slice(end + 1);
  }
  return { left, key };
}
