import type { IncomingMessage } from 'node:http';
import { isKey } from '../../identifiers/index.ts';

/** Paths of the faces. */
const FACE = /^\/(?:gifbox|gifverse|tenor|giphy|klipy)\//;
/** KLIPY has the key in its paths. */
const KEY_IN_PATH = /^\/klipy\/api\/v1\/([^/?]+)(?=\/gifs\/)/;
const KLIPY = '/klipy/api/v1';
const KEYS = ['key', 'api_key'];
/** Parameters that say who the user is, or which app. Nothing here needs them. */
const TRACKING = ['client_key', 'customer_id', 'pingback_id', 'random_id', 'user_id', 'anon_id', 'username'];
const TAKEN: ReadonlySet<string> = new Set([...KEYS, ...TRACKING]);

/**
 * Moves the API key of a request to a face from its URL into the header Authorization, and removes parameters about
 * the user. So no log and no cache ever has them. A key that is not one of ours is ignored, because some apps cannot
 * leave the key out. If the request has an origin, the origin decides. Other requests stay as they are.
 * @returns the URL without the key
 */
export function takeKey(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const { headers } = request;
  const address = request.url!;
  if (!FACE.test(address)) return address;
  const inPath = KEY_IN_PATH.exec(address);
  const plain = inPath === null ? address : KLIPY + address.slice(inPath[0].length);
  const start = plain.indexOf('?');
  const pairs = start < 0 ? [] : plain.slice(start + 1).split('&');
  const kept = pairs.filter((pair) => !TAKEN.has(nameOf(pair)));
  if (inPath === null && kept.length === pairs.length) return address;
  const given = pairs.find((pair) => KEYS.includes(nameOf(pair)));
  const key = inPath?.[1] ?? given?.slice(nameOf(given).length + 1);
  const hasOrigin = headers.origin !== undefined && headers.origin !== 'null';
  if (key !== undefined && isKey(key) && !hasOrigin) headers.authorization ??= `Bearer ${key}`;
  const query = kept.length === 0 ? '' : `?${kept.join('&')}`;
  request.url = (start < 0 ? plain : plain.slice(0, start)) + query;
  return request.url;
}

function nameOf(pair: string): string {
  const equals = pair.indexOf('=');
  return equals < 0 ? pair : pair.slice(0, equals);
}
