import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../base/errors.ts';
import { counted } from '../base/plain-text.ts';
import type { LinkedGif } from '../ingest/index.ts';
import { DownloadError, type DownloadOptions, type Fetcher } from '../platform/fetch/index.ts';
import { readRow } from './gif-row.ts';
import {
  CATALOGUE_LIMITS,
  fileOf,
  hashOf,
  MANIFEST,
  type Part,
  partAt,
  placeOf,
  readManifest,
  type SignedManifest,
  unpackLines,
} from './manifest.ts';

/** Maximum time for one file, and number of attempts while the server limits requests. */
const FILE_MS = 60_000;
const ATTEMPTS = 30;
const LONGEST_WAIT_MS = 60_000;

/** The files of a catalogue that another service publishes. */
export interface Remote {
  fetcher: Fetcher;
  /** URL of the service, without a slash at its end. */
  url: string;
  signal: AbortSignal;
}

/** A GIF of a part, with its place. */
export interface PlacedGif {
  gif: LinkedGif;
  place: number;
}

/** Returns the URL under which a catalogue is known. @throws OperatorError if it is not an http(s) URL */
export function catalogueAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new OperatorError(`${text}: must be the URL of a service, beginning with https:// or http://`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * Fetches a manifest and checks its signature.
 * @throws OperatorError that names the URL, or DownloadError if there is no manifest
 */
export async function fetchManifest(remote: Remote): Promise<SignedManifest> {
  const address = `${remote.url}/catalogue/${MANIFEST}`;
  const maxBytes = CATALOGUE_LIMITS.manifestBytes;
  const bytes = await download(remote, address, { maxBytes, contentType: /^application\/json/i });
  return naming(address, async () => readManifest(bytes));
}

/**
 * Fetches a part and checks its size, hash, number of GIFs and lines, and whether its GIFs belong to this part.
 * @throws OperatorError that names the URL
 */
export async function fetchPart(
  remote: Remote,
  part: Part,
  { number, bits }: { number: number; bits: number },
): Promise<PlacedGif[]> {
  const address = `${remote.url}/catalogue/${fileOf(part.sha256)}`;
  return naming(address, async () => {
    const bytes = await download(remote, address, {
      maxBytes: part.bytes,
      contentType: /^application\/(octet-stream|gzip)/i,
    });
    if (bytes.length !== part.bytes)
      throw new OperatorError(`the part has ${bytes.length} bytes instead of ${part.bytes}`);
    if (hashOf(bytes) !== part.sha256) {
      throw new OperatorError('the part has another hash than the manifest says');
    }
    const gifs = (await unpackLines(bytes)).map((line, at) => readLine(line, at, remote.url));
    if (gifs.length !== part.gifs)
      throw new OperatorError(`the part has ${counted(gifs.length, 'GIF')} instead of ${part.gifs}`);
    if (new Set(gifs.map(({ gif }) => gif.id)).size < gifs.length) throw new OperatorError('the part has a GIF twice');
    const stray = gifs.find(({ place }) => partAt(place, bits) !== number);
    if (stray !== undefined) throw new OperatorError(`the GIF ${stray.gif.id} belongs to another part`);
    return gifs;
  });
}

function readLine(line: string, at: number, catalogue: string): PlacedGif {
  const { line: most } = CATALOGUE_LIMITS;
  if (line.length > most) throw new OperatorError(`line ${at + 1} has more than ${most} characters`);
  try {
    const gif = readRow(line, catalogue);
    return { gif, place: placeOf(gif.id) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`line ${at + 1}: ${error.message}`, { cause: error });
  }
}

/** Downloads a file. Waits if the server limits requests. */
async function download(
  { fetcher, signal }: Remote,
  address: string,
  options: Pick<DownloadOptions, 'maxBytes' | 'contentType'>,
): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetcher.download(address, { ...options, timeoutMs: FILE_MS, signal });
    } catch (error) {
      const isBusy = error instanceof DownloadError && error.reason === 'too_many_requests';
      if (!isBusy || attempt === ATTEMPTS) throw error;
      await wait(Math.min(LONGEST_WAIT_MS, error.retryAfterMs ?? 1_000), undefined, { signal });
    }
  }
}

async function naming<Result>(address: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof DownloadError)) throw error;
    throw nameError(address, error);
  }
}

/** Returns an error that names a URL. */
export function nameError(address: string, error: OperatorError | DownloadError): OperatorError {
  const isPrivate = error instanceof DownloadError && error.reason === 'private_address';
  const cure = isPrivate ? ' (ZOETROPE_FETCH_ALLOW_PRIVATE allows it)' : '';
  return new OperatorError(`${address}: ${error.message}${cure}`, { cause: error });
}
