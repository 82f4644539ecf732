import { randomUUID } from 'node:crypto';
import { open, opendir, readdir, rename, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { OperatorError, ServiceError } from '../../base/errors.ts';
import { makeFolderDurably, syncFolder, writeDurably } from '../files/index.ts';
import { assertKey, type BlobStore, type ByteRange, PARTS, type StoredBlob } from './blob-store.ts';

/** No write takes an hour: an older part was left by a process that died. */
const ORPHAN_MS = 3_600_000;

/**
 * Blobs as files of one folder, which may be shared by several processes. Half-written files lie in `part` until they are
 * renamed: one folder to sweep, on the same disk as the blobs.
 */
export class FolderBlobs implements BlobStore {
  readonly #folder: string;
  readonly #reserve: number;

  readonly #newName: () => string;

  /**
   * @param reserve bytes that stay free on its disk
   * @param newName gives names that nobody else gives
   */
  constructor(folder: string, reserve = 0, newName: () => string = randomUUID) {
    this.#newName = newName;
    this.#folder = folder;
    this.#reserve = reserve;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(key);
    // Processes of two containers that share the folder may have the same number.
    const part = join(this.#folder, PARTS, `${this.#newName()}.part`);
    try {
      await makeFolderDurably(dirname(part));
      await makeFolderDurably(dirname(path));
      if (this.#reserve > 0) await this.#keepFree(bytes.length);
      await writeDurably(part, bytes);
      await rename(part, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await unlink(part).catch(() => {});
      throw asServiceError(error);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    const file = await open(this.#path(key)).catch(nullWhenMissing);
    return file === null ? null : file.createReadStream(range ?? {});
  }

  async head(key: string): Promise<{ bytes: number } | null> {
    const found = await stat(this.#path(key)).catch(nullWhenMissing);
    return found?.isFile() ? { bytes: found.size } : null;
  }

  async delete(key: string): Promise<void> {
    await unlink(this.#path(key)).catch(nullWhenMissing);
  }

  async *list(prefix: string): AsyncIterable<StoredBlob> {
    // Only the folder that the prefix names in full is read, not the whole store.
    const start = join(this.#folder, prefix.slice(0, prefix.lastIndexOf('/') + 1));
    const folder = await opendir(start, { recursive: true }).catch(nullWhenMissing);
    if (folder === null) return;
    for await (const entry of folder) {
      const path = join(entry.parentPath, entry.name);
      const key = relative(this.#folder, path).split(sep).join('/');
      if (!entry.isFile() || !key.startsWith(prefix) || key.startsWith(`${PARTS}/`)) continue;
      const found = await stat(path).catch(nullWhenMissing);
      if (found !== null) yield { key, bytes: found.size };
    }
  }

  /** Removes what dead processes left half-written; `now` is milliseconds since the epoch. Returns how many. */
  async sweep(now: number): Promise<number> {
    const paths = await this.leftovers(now);
    for (const path of paths) await unlink(path).catch(nullWhenMissing);
    return paths.length;
  }

  /** Paths of what `sweep` would remove. */
  async leftovers(now: number): Promise<string[]> {
    const names = (await readdir(join(this.#folder, PARTS)).catch(nullWhenMissing)) ?? [];
    const left: string[] = [];
    for (const name of names) {
      const path = join(this.#folder, PARTS, name);
      const found = await stat(path).catch(nullWhenMissing);
      if (found !== null && now - found.mtimeMs >= ORPHAN_MS) left.push(path);
    }
    return left;
  }

  /** A disk that is full to the last byte stops the database too. */
  async #keepFree(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    const free = bavail * bsize;
    if (free - bytes >= this.#reserve) return;
    const cause = new OperatorError(
      `${Math.floor(free / 1e6)} MB are free on the disk of ${this.#folder}, and ZOETROPE_DISK_RESERVE_BYTES keeps ` +
        `${Math.floor(this.#reserve / 1e6)} MB: free some space, or lower it`,
    );
    throw new ServiceError('upstream_unavailable', 'the media folder is full', { cause, retryAfter: 60 });
  }

  #path(key: string): string {
    assertKey(key);
    return join(this.#folder, key);
  }
}

function nullWhenMissing(error: unknown): null {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

/** The disk's own troubles are named for the caller; the path stays in the log, as the cause. */
function asServiceError(error: unknown): unknown {
  const troubles: Record<string, string> = {
    ENOSPC: 'the media folder is full',
    EDQUOT: 'the media folder is over its quota',
    EROFS: 'the media folder is read-only',
    EACCES: 'the media folder may not be written',
  };
  const trouble = troubles[codeOf(error) ?? ''];
  if (trouble === undefined) return error;
  return new ServiceError('upstream_unavailable', trouble, { cause: error, retryAfter: 60 });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
