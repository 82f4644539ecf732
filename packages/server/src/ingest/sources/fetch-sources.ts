import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '../../base/errors.ts';
import { DownloadError, type Fetcher } from '../../platform/fetch/index.ts';
import { wordsOfName } from './titles.ts';

/** Maximum time for one file. */
const DOWNLOAD_MS = 60_000;
const NO_FILE_NAME = /[^\p{L}\p{N}._ -]+/gu;
/** Maximum length of a file name without its ending. A file system allows 255 bytes, and a character takes up to three. */
const MAX_NAME = 80;

/** Files in the data folder that were fetched from URLs, or that list them. */
export interface FetchedSources {
  /** The paths of the files, as arguments of `zoetrope add`. */
  paths: string[];
  /** Removes the files. Call it when they have been added. */
  remove(): Promise<void>;
}

export interface FetchOptions {
  /** Folder for the files. */
  folder: string;
  /** Whether the URLs become linked GIFs, which are not downloaded. */
  isLinked: boolean;
  /** Maximum size of a file. */
  maxBytes: number;
  fetcher: Fetcher;
  signal: AbortSignal;
}

/**
 * Downloads the files of URLs, or lists the URLs in a manifest of linked GIFs.
 * @throws OperatorError that names a URL that cannot be downloaded, or that is neither a GIF nor a WebP
 */
export async function fetchSources(urls: readonly string[], options: FetchOptions): Promise<FetchedSources> {
  if (urls.length === 0) return { paths: [], remove: async () => {} };
  const folder = path.join(options.folder, randomUUID());
  const remove = () => fs.rm(folder, { recursive: true, force: true });
  await fs.mkdir(folder, { recursive: true });
  try {
    const paths = options.isLinked ? [await list(folder, urls)] : await downloadAll(urls, { ...options, folder });
    return { paths, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function list(folder: string, urls: readonly string[]): Promise<string> {
  const manifest = path.join(folder, 'linked.jsonl');
  const rows = urls.map((url) => JSON.stringify({ url, title: wordsOfName(nameIn(url)) }));
  await fs.writeFile(manifest, rows.join('\n'));
  return manifest;
}

async function downloadAll(urls: readonly string[], options: FetchOptions): Promise<string[]> {
  const { folder, maxBytes, fetcher, signal } = options;
  const files: string[] = [];
  for (const [n, url] of urls.entries()) {
    const bytes = await fetcher.download(url, { maxBytes, timeoutMs: DOWNLOAD_MS, signal }).catch((error: unknown) => {
      if (!(error instanceof DownloadError)) throw error;
      const cure = error.reason === 'private_address' ? ' (ZOETROPE_FETCH_ALLOW_PRIVATE allows it)' : '';
      throw new OperatorError(`${url}: ${error.message}${cure}`, { cause: error });
    });
    const type = typeOf(bytes);
    if (type === undefined) throw new OperatorError(`${url}: the file is neither a GIF nor a WebP`);
    // The name becomes the title. Files of different hosts can have the same name.
    const file = path.join(folder, `${n}`, `${nameIn(url).replace(/\.\w+$/, '') || 'untitled'}.${type}`);
    await fs.mkdir(path.dirname(file));
    await fs.writeFile(file, bytes);
    files.push(file);
  }
  return files;
}

/**
 * Returns the last part of a URL's path as a file name: cut to the maximum length, and without characters that are not
 * allowed in file names.
 */
function nameIn(url: string): string {
  const { pathname = '' } = URL.parse(url) ?? {};
  return decoded(pathname.split('/').at(-1)!).slice(0, MAX_NAME);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name).replace(NO_FILE_NAME, ' ');
  } catch {
    return name; // not UTF-8
  }
}

function typeOf(bytes: Uint8Array): 'gif' | 'webp' | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('GIF8')) return 'gif';
  return /^RIFF.{4}WEBP$/s.test(head) ? 'webp' : undefined;
}
