import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GifFormat } from '@zoetrope/contract';
import { ServiceError } from '../../base/errors.ts';
import type { AccountContext } from '../context.ts';

/** Maximum number of files that one thread receives at the same time. */
const MOST = 4;
const MEGABYTE = 1_000_000;
const NO_FILE_NAME = /[^\p{L}\p{N}._ -]+/gu;
/** Maximum length of a file name without its ending, as for downloads. */
const MAX_NAME = 80;

/** A file that a browser sends. */
interface Upload {
  batch: string;
  name: string;
  /** The size that the browser announces, in bytes; 0 if it announces none. */
  length: number;
}

/** A file that has arrived. */
interface Received {
  name: string;
  bytes: number;
  sha256: string;
  format: GifFormat;
  path: string;
}

/**
 * Returns a function that stores a file in the folder of its batch, as it arrives. The function rejects with
 * ServiceError `validation` if the file is too large or is neither a GIF nor a WebP, `conflict` if the disk is nearly
 * full, and `rate_limited` if too many files arrive at the same time.
 */
export function createReceiver({ folder, maxBytes, reserveBytes }: AccountContext['uploads']) {
  let running = 0;
  return async (body: Readable, { batch, name, length }: Upload): Promise<Received> => {
    if (length > maxBytes) throw tooLarge(maxBytes);
    if (running >= MOST) {
      const message = `${MOST} files are being received; send the next one when one of them has arrived`;
      throw new ServiceError('rate_limited', message, { retryAfter: 1 });
    }
    running++;
    // Files of a batch can have the same name.
    const own = path.join(folder, batch, randomUUID());
    try {
      await fs.promises.mkdir(own, { recursive: true });
      await requireSpace(own, length + reserveBytes);
      const part = path.join(own, 'part');
      const { bytes, type: format, sha256 } = await store(body, part, maxBytes);
      const whole = `${plainName(name)}.${format}`;
      const file = path.join(own, whole);
      await fs.promises.rename(part, file);
      return { name: whole, bytes, sha256, format, path: file };
    } catch (error) {
      await fs.promises.rm(own, { recursive: true, force: true });
      throw error;
    } finally {
      running--;
    }
  };
}

async function requireSpace(folder: string, wanted: number): Promise<void> {
  const { bavail, bsize } = await fs.promises.statfs(folder);
  const free = bavail * bsize;
  if (free >= wanted) return;
  const message = `Only ${Math.floor(free / MEGABYTE)} MB of the disk are free, and ZOETROPE_DISK_RESERVE_BYTES reserves some. Free some space`;
  throw new ServiceError('conflict', message);
}

/** Writes a file while it arrives. @returns its size, type and hash */
async function store(
  body: Readable,
  file: string,
  maxBytes: number,
): Promise<{ bytes: number; type: GifFormat; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let head = Buffer.alloc(0);
  let type: GifFormat | undefined;
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        if (type === undefined) {
          head = Buffer.concat([head, chunk.subarray(0, HEAD)]);
          if (head.length >= HEAD) type = requireType(head);
        }
        hash.update(chunk);
        yield chunk;
      }
    },
    fs.createWriteStream(file),
  );
  return { bytes, type: type ?? requireType(head), sha256: hash.digest('hex') };
}

/** Number of bytes at the start of a file that identify its type. */
const HEAD = 12;

/** Returns the format of a file from its first bytes. @throws ServiceError `validation` */
export function requireType(head: Uint8Array): GifFormat {
  const text = Buffer.from(head.subarray(0, HEAD)).toString('latin1');
  if (text.startsWith('GIF8')) return 'gif';
  if (/^RIFF.{4}WEBP$/s.test(text)) return 'webp';
  throw new ServiceError('validation', 'It is neither a GIF nor a WebP');
}

function tooLarge(maxBytes: number): ServiceError {
  const limit = maxBytes < MEGABYTE ? `${maxBytes} bytes` : `${Math.floor(maxBytes / MEGABYTE)} MB`;
  return new ServiceError('validation', `It is larger than ${limit} (ZOETROPE_MEDIA_MAX_BYTES)`);
}

/** Returns a name without its ending and without characters that are not allowed in file names. */
function plainName(name: string): string {
  const last = name
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.\w+$/, '');
  const allowed = last
    .replace(NO_FILE_NAME, ' ')
    .replace(/ +/g, ' ')
    .replace(/^[. ]+/, '');
  return allowed.slice(0, MAX_NAME) || 'untitled';
}
