import type { Gif } from './contract.ts';
import { GifError } from './errors.ts';
import { within } from './within.ts';

/** An event before it is signed. Source: NIP-01. */
export interface EventTemplate {
  kind: number;
  created_at: number;
  tags: string[][];
  content: string;
}

/** Signs events for the user, like `window.nostr` of NIP-07. */
export interface Signer {
  signEvent(event: EventTemplate): Promise<EventTemplate & { id: string; pubkey: string; sig: string }>;
}

/** The result of one server: the URL of the file there, or why the file is not there. */
export type Saved = { server: string; url: string } | { server: string; error: string };

export interface SaveOptions {
  /** Maximum time for each server, in milliseconds, because the server has to download the file. Default: 30,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
  fetch?: typeof fetch;
  /** Returns the time in milliseconds, for tests. Default: `Date.now`. */
  now?: () => number;
}

const TIMEOUT_MS = 30_000;
/** Kind of an authorisation for Blossom servers. Source: BUD-11. */
const AUTHORISATION = 24_242;
const VALID_S = 300;

/**
 * Saves a GIF on the user's own Blossom servers. The servers download it themselves (BUD-04), so the device sends one
 * small request to each, and the user signs once. The signature allows nothing but this file on these servers, for five
 * minutes.
 * @param servers addresses of the servers, as in the user's list of kind 10063
 * @returns one result per server, in order. In a note, use a URL from these results first, and the GIF's own URL as
 * `fallback`.
 * @throws TypeError if the GIF has no `sha256`, because servers must check what they download, or for a wrong address.
 * Rejects with the signer's error, or with the reason of `signal`.
 */
export async function saveTo(
  gif: Pick<Gif, 'url' | 'sha256'>,
  servers: readonly string[],
  signer: Signer,
  { timeoutMs = TIMEOUT_MS, signal, fetch = globalThis.fetch, now = Date.now }: SaveOptions = {},
): Promise<Saved[]> {
  const { sha256, url } = gif;
  if (sha256 === null) throw new TypeError('The GIF has no sha256: the service has not read the whole file');
  const bases = servers.map((server) => new URL(server).origin);
  const seconds = Math.floor(now() / 1_000);
  const signed = await signer.signEvent({
    kind: AUTHORISATION,
    created_at: seconds,
    tags: [
      ['t', 'upload'],
      ['x', sha256],
      ['expiration', String(seconds + VALID_S)],
      ...bases.map((base) => ['server', new URL(base).hostname]),
    ],
    content: 'Save a GIF',
  });
  const request = {
    method: 'PUT',
    headers: { authorization: `Nostr ${toBase64(JSON.stringify(signed))}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  };
  const saves = bases.map(async (server): Promise<Saved> => {
    const mirror = async (own: AbortSignal) =>
      readResult(await fetch(`${server}/mirror`, { ...request, signal: own }), server, sha256);
    try {
      return await within(timeoutMs, mirror, signal);
    } catch (error) {
      signal?.throwIfAborted();
      return { server, error: error instanceof GifError ? error.message : String(error) };
    }
  });
  return Promise.all(saves);
}

/**
 * Returns the NIP-92 tag for a note with a file that was saved on the user's own servers. Its `url` is the first of these
 * servers. The other servers and the service are `fallback`s. If no server has the file, the tag is returned as it is.
 * The note's content must contain the URL of the returned tag.
 * @param imeta the tag of the GIF, from `toImeta` or the picker's event
 * @param saved the results of `saveTo`
 */
export function ownFirst(imeta: readonly string[], saved: readonly Saved[]): string[] {
  const [first, ...others] = saved.flatMap((result) => ('url' in result ? [result.url] : []));
  if (first === undefined) return [...imeta];
  const urls = imeta.flatMap((field) => /^url (.+)$/s.exec(field)?.[1] ?? []);
  const fallbacks = [...new Set([...others, ...urls])].filter((url) => url !== first);
  const rest = imeta.slice(1).filter((field) => !field.startsWith('url '));
  return ['imeta', `url ${first}`, ...rest, ...fallbacks.map((url) => `fallback ${url}`)];
}

async function readResult(response: Response, server: string, sha256: string): Promise<Saved> {
  if (!response.ok) return { server, error: response.headers.get('x-reason') ?? `HTTP ${response.status}` };
  const saved = (await response.json()) as { url?: unknown; sha256?: unknown };
  if (saved.sha256 !== sha256) return { server, error: 'the server saved another file' };
  if (typeof saved.url !== 'string' || !/^https?:$/.test(URL.parse(saved.url)?.protocol ?? ''))
    return { server, error: 'the response has no URL' };
  return { server, url: saved.url };
}

/** Works on UTF-8, because signers can add names. */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
