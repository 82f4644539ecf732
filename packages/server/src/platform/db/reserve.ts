import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Bytes that are freed in one step. This is enough for the data that many transactions add to database and log. */
const STEP_BYTES = 512 * 1024;

/** The kinds of writes that can use the reserve. */
export type ReserveUse =
  /** Reports. Anybody can send them. */
  | 'report'
  /** Signing out. It must be possible even after reports have used up their share. */
  | 'sign-out'
  /** Actions of operators. */
  | 'operator'
  /** Hiding a GIF. It must be possible even after all other uses have used up their shares. */
  | 'hide';

/**
 * Each use has its own share. When its share is used up, it can use the shares of the uses that are listed before it.
 */
const SHARES: readonly { use: ReserveUse; bytes: number }[] = [
  { use: 'report', bytes: STEP_BYTES },
  { use: 'sign-out', bytes: STEP_BYTES },
  { use: 'operator', bytes: 3 * STEP_BYTES },
  { use: 'hide', bytes: 2 * STEP_BYTES },
];

/** Names of the files in earlier versions. */
const EARLIER_FILES = ['disk-reserve', 'disk-reserve-visitor'];

/**
 * Minimum free space on the disk for filling the reserve again. With less free space, other files need the space more.
 */
const LEAST_FREE_BYTES = 32 * 1024 * 1024;

const uses = new AsyncLocalStorage<ReserveUse>();

/** Runs `act`, which can use the reserve if the disk is full. Without this function, writes fail on a full disk. */
export function withReserve<Result>(use: ReserveUse, act: () => Result): Result {
  return uses.run(use, act);
}

/**
 * Files that reserve space on the database's disk, one for each use. If the disk is full, a file is shortened, so that
 * important writes are still possible. When there is space again, the files are filled again.
 */
export class Reserve {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Frees some reserved space for one purpose. The default is the purpose of the surrounding `withReserve`.
   * @returns false if no purpose is given, or if no space is left for this purpose
   */
  release(wanted: ReserveUse | undefined = uses.getStore()): boolean {
    const own = SHARES.findIndex(({ use }) => use === wanted);
    for (const { use } of SHARES.slice(0, own + 1).reverse()) {
      const file = this.#fileOf(use);
      const bytes = sizeOf(file);
      if (bytes === 0) continue;
      fs.truncateSync(file, Math.max(0, bytes - STEP_BYTES));
      return true;
    }
    return false;
  }

  /** Restores the full size of the files if there is plenty of space. */
  fill(): void {
    for (const name of EARLIER_FILES) fs.rmSync(path.join(this.#folder, name), { force: true });
    for (const { use, bytes } of SHARES) {
      const file = this.#fileOf(use);
      if (sizeOf(file) === bytes) continue;
      try {
        const { bavail, bsize } = fs.statfsSync(this.#folder);
        // The bytes are random, because some file systems compress repetitive data.
        if (bavail * bsize >= LEAST_FREE_BYTES) fs.writeFileSync(file, randomBytes(bytes));
      } catch {
        fs.rmSync(file, { force: true }); // the next start tries again
      }
    }
  }

  #fileOf(use: ReserveUse): string {
    return path.join(this.#folder, `disk-reserve-${use}`);
  }
}

function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
