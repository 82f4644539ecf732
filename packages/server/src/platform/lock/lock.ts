import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { OperatorError } from '../../base/errors.ts';

/** The error if another process holds the lock. */
export class LockTaken extends OperatorError {
  /** Description of the holder. */
  readonly holder: string;

  /** @param what the folder or other object that the holder uses */
  constructor(holder: string, what: string, cause: unknown) {
    super(`${holder} is already working on ${what}; wait for it to finish or stop it`, { cause });
    this.holder = holder;
  }
}

export interface Lock {
  release(): void | Promise<void>;
}

/** A lock that only processes with the same data folder can see. */
export interface OwnLock extends Lock {
  release(): void;
}

/**
 * The files of all held locks. Without this reference, the garbage collector would close a file, which ends its lock.
 */
const held = new Set<Sqlite.Database>();

/**
 * Takes a lock that ends with its process. The lock is an exclusive transaction on a small SQLite file. The operating
 * system releases it even after kill -9. A lock file with a process id would remain after its owner has died.
 * @param holder description of this process for others
 * @throws LockTaken that names the holder
 */
export function takeLock(file: string, holder: string): OwnLock {
  const database = new Sqlite(file, { timeout: 0 });
  const note = `${file}.holder`;
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if ((cause as { code?: string }).code !== 'SQLITE_BUSY') throw cause;
    throw new LockTaken(readHolder(note), path.dirname(file), cause);
  }
  tryWrite(note, `${holder} (process ${process.pid})`);
  held.add(database);
  return {
    release() {
      fs.rmSync(note, { force: true });
      held.delete(database);
      database.close();
    },
  };
}

function readHolder(note: string): string {
  try {
    return fs.readFileSync(note, 'utf8');
  } catch {
    return 'Another zoetrope process';
  }
}

/**
 * Writes the holder's description, if possible. The lock works even if the full disk has no space for the description.
 */
function tryWrite(note: string, text: string): void {
  try {
    fs.writeFileSync(note, text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
