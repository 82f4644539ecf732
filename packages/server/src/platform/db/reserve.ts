import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const NAME = 'disk-reserve';
const BYTES = 2 * 1024 * 1024;
/** A step has room for many transactions' additions to database and log. */
const STEP_BYTES = 512 * 1024;
/** If less than this is free, the reserve is not filled again: other files need the space more. */
const LEAST_FREE_BYTES = 16 * BYTES;

/**
 * A file that reserves space on the database's disk, so that an operator can hide a GIF or a user can sign out even if
 * the disk is full: the file is shortened then. It is filled again when there is space.
 */
export class Reserve {
  readonly #folder: string;
  #isKept = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Prevents this process from using the reserve; for processes that might fill the disk themselves. */
  keep(): void {
    this.#isKept = true;
  }

  /** Frees some space. @returns false if nothing is left */
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
      // Random, because some file systems compress repetitive data.
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
