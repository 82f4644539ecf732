import { randomUUID } from 'node:crypto';
import { link, open, opendir, readdir, readFile, rename, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { OperatorError, ServiceError } from '../../base/errors.ts';
import { makeFolderDurably, ORPHAN_MS, syncFile, syncFolder, writeDurably } from '../files/index.ts';
import { assertKey, type BlobStore, type ByteRange, PARTS, type PutOptions, type StoredBlob } from './blob-store.ts';

/**
 * Stores blobs as files in a folder, which several processes can share. Incomplete files are in `part` until they are
 * renamed, so that only `part` needs to be cleaned up. `part` is on the same disk as the blobs.
 */
export class FolderBlobs implements BlobStore {
  readonly #folder: string;
  readonly #reserve: number;

  readonly #newName: () => string;

  /**
   * @param reserve number of bytes to keep free on the folder's disk
   * @param newName creates unique names
   */
  constructor(folder: string, reserve = 0, newName: () => string = randomUUID) {
    this.#newName = newName;
    this.#folder = folder;
    this.#reserve = reserve;
  }

  async put(key: string, bytes: Uint8Array, { sameAs }: PutOptions = {}): Promise<void> {
    const path = this.#path(key);
    // The name does not contain the process id, because processes in two containers that share the folder can have the
    // same id.
    const part = join(this.#folder, PARTS, `${this.#newName()}.part`);
    try {
      await makeFolderDurably(dirname(part));
      await makeFolderDurably(dirname(path));
      if (this.#reserve > 0) await this.#keepFree(bytes.length);
      if (sameAs === undefined || !(await linkDurably(sameAs, part, bytes))) await writeDurably(part, bytes);
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
    // Reads only the folder that the prefix names, not the whole store.
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

  /**
   * Deletes incomplete files of processes that have died. `now` is in milliseconds since the Unix epoch. Returns the
   * number of deleted files.
   */
  async sweep(now: number): Promise<number> {
    const paths = await this.leftovers(now);
    for (const path of paths) await unlink(path).catch(nullWhenMissing);
    return paths.length;
  }

  /** Returns the paths that `sweep` would delete. */
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

  /** Keeps some space free, because a completely full disk would also stop the database. */
  async #keepFree(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    const free = bavail * bsize;
    if (free - bytes >= this.#reserve) return;
    const cause = new OperatorError(
      `${Math.floor(free / 1e6)} MB are free on the disk of ${this.#folder}, but ZOETROPE_DISK_RESERVE_BYTES reserves ` +
        `${Math.floor(this.#reserve / 1e6)} MB. Free some space, or lower the setting`,
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

/** Turns a disk error into an error for the caller. Only the log contains the path, as the cause. */
function asServiceError(error: unknown): unknown {
  const troubles: Record<string, string> = {
    ENOSPC: 'the media folder is full',
    EDQUOT: 'the media folder is over its quota',
    EROFS: 'the media folder is read-only',
    EACCES: 'the media folder is not writable',
  };
  const trouble = troubles[codeOf(error) ?? ''];
  if (trouble === undefined) return error;
  return new ServiceError('upstream_unavailable', trouble, { cause: error, retryAfter: 60 });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/** Makes a file a link to another file, if the other file has these bytes. @returns false if no link was made */
async function linkDurably(from: string, file: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await link(from, file);
    if (Buffer.compare(await readFile(file), bytes) === 0) {
      await syncFile(file);
      return true;
    }
  } catch {
    // The file is on another disk, or its file system has no links.
  }
  await unlink(file).catch(() => {});
  return false;
}
