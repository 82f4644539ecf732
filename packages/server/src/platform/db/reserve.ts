import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const NAME = 'disk-reserve';
const BYTES = 2 * 1024 * 1024;
/**
 * Number of bytes that are freed in one step. A step has room for the additions of many transactions to database and
 * log.
 */
const STEP_BYTES = 512 * 1024;
/** Minimum free space on the disk for filling the reserve again. If less is free, other files need the space more. */
const LEAST_FREE_BYTES = 16 * BYTES;

/**
 * A file that reserves space on the database's disk. If the disk is full, the file is shortened. So an operator can
 * still hide a GIF, and a user can still sign out. When there is space, the file is filled again.
 */
export class Reserve {
  readonly #folder: string;
  #isKept = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Prevents this process from using the reserve. This is for processes that might fill the disk themselves. */
  keep(): void {
    this.#isKept = true;
  }

  /** Frees some space. @returns false if no reserved space is left */
  release(): boolean {
    if (this.#isKept) return false;
    const bytes = this.#size();
    if (bytes === 0) return false;
    fs.truncateSync(this.#file, Math.max(0, bytes - STEP_BYTES));
    return true;
  }

  /** Restores the file's full size if there is plenty of space. */
  fill(): void {
    if (this.#size() === BYTES) return;
    try {
      const { bavail, bsize } = fs.statfsSync(this.#folder);
      // The bytes are random, because some file systems compress repetitive data.
      if (bavail * bsize >= LEAST_FREE_BYTES) fs.writeFileSync(this.#file, randomBytes(BYTES));
    } catch {
      fs.rmSync(this.#file, { force: true }); // the next start tries again
    }
  }

  get #file(): string {
    return path.join(this.#folder, NAME);
  }

  #size(): number {
    return fs.statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }
}
