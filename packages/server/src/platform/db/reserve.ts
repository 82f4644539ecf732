import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const NAME = 'disk-reserve';
const BYTES = 2 * 1024 * 1024;
/** A step has room for what one transaction adds to the database and its log, many times over. */
const STEP_BYTES = 512 * 1024;
/** Where less than this is free, other things need it more. */
const LEAST_FREE_BYTES = 16 * BYTES;

/**
 * A file that keeps some room on the disk of the database, so that a full disk does not keep an operator from hiding a GIF
 * or a person from signing out: then it is made shorter. It is filled again once there is space.
 */
export class Reserve {
  readonly #folder: string;
  #isKept = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Says that this process is not to use it, as those must not that fill the disk themselves. */
  keep(): void {
    this.#isKept = true;
  }

  /** Makes some room. @returns false when there is none left to make */
  release(): boolean {
    if (this.#isKept) return false;
    const bytes = this.#size();
    if (bytes === 0) return false;
    fs.truncateSync(this.#file, Math.max(0, bytes - STEP_BYTES));
    return true;
  }

  /** Makes the file as large as it should be, if there is plenty of space. */
  fill(): void {
    if (this.#size() === BYTES) return;
    try {
      const { bavail, bsize } = fs.statfsSync(this.#folder);
      // Random, because some file systems need no room for anything that repeats.
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
