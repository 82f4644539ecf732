import fs from 'node:fs';
import Sqlite from 'better-sqlite3';
import { OperatorError } from '../../errors.ts';

export interface Lock {
  release(): void;
}

/**
 * Takes a lock that dies with its process: an exclusive transaction on a small SQLite file, which the operating
 * system gives back even after kill -9. A lock file with a process id in it would outlive its owner.
 * @param holder what to call this process in the message to the next one
 * @throws OperatorError naming the holder when the lock is taken
 */
export function takeLock(file: string, holder: string): Lock {
  const database = new Sqlite(file, { timeout: 0 });
  const note = `${file}.holder`;
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if ((cause as { code?: string }).code !== 'SQLITE_BUSY') throw cause;
    throw new OperatorError(
      `${readHolder(note)} is at work on ${file.replace(/\/[^/]*$/, '')}; wait for it or stop it`,
      {
        cause,
      },
    );
  }
  fs.writeFileSync(note, `${holder} (process ${process.pid})`);
  return {
    release() {
      fs.rmSync(note, { force: true });
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
