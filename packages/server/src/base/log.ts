import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import pino from 'pino';
import { describeLine, isForPeople } from './terminal.ts';

export type Log = pino.Logger;

const STANDARD_ERROR = 2;

/**
 * Creates the root logger. Rooms use `log.child({ room })`. The logger writes to standard error, because a command's
 * standard output must stay machine-readable. It writes lines of JSON, or lines for people if standard error is a
 * terminal. Lines never contain identifying headers.
 */
export function createLog(level: string): Log {
  const redact = ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'];
  return pino({ level, base: null, redact }, isForPeople() ? PEOPLE : pino.destination(STANDARD_ERROR));
}

/** Converts lines of JSON to lines for people. */
const PEOPLE = { write: (line: string) => void tryWrite(Buffer.from(describeLine(line))) };

/** A log for large numbers of lines. */
export interface GatheringLog {
  /** Writes a line, including its line break. `bytes` is the size of the line in bytes. */
  write(line: string, bytes: number): void;
  /** Resolves when all lines are written, or when nobody has read a line for some seconds. */
  close(): Promise<void>;
}

/** Maximum size of an atomic write to a pipe, even with several threads. Source: PIPE_BUF of Linux. */
const PIECE_BYTES = 4_096;
/** Maximum size of a write to a file. Writes to a file are atomic at any size. */
const FILE_PIECE_BYTES = 65_536;
/** Maximum time that a line waits for other lines to fill the buffer. */
const GATHERED_MS = 250;
/** Maximum number of waiting buffers while nobody reads the pipe. Further lines are dropped to save memory. */
const BACKLOG_PIECES = 1_000;
/** When the log closes: pause between retries, and maximum number of retries without progress. */
const LAST_MS = 20;
const LAST_TRIES = 150;

/**
 * Collects lines for standard error. One write contains about twenty lines, or three hundred if standard error is a
 * file. The write runs on this thread, because passing so little data to another thread would take ten times as long.
 * The write never blocks: on threads, a write to a full pipe fails immediately.
 */
export function createGatheringLog(): GatheringLog {
  if (isForPeople()) return { ...PEOPLE, close: async () => {} };
  const backlog: Buffer[] = [];
  // One buffer is reused, because allocating and collecting a new buffer each time took longer than all other steps.
  const pieceBytes = fs.fstatSync(STANDARD_ERROR).isFile() ? FILE_PIECE_BYTES : PIECE_BYTES;
  const piece = Buffer.allocUnsafe(pieceBytes);
  let gathered = 0;
  const keep = (rest: Buffer): void => {
    if (rest.length > 0 && backlog.length < BACKLOG_PIECES) backlog.push(Buffer.from(rest));
  };
  const flush = (): void => {
    writePieces(backlog);
    const written = backlog.length > 0 ? 0 : tryWrite(piece.subarray(0, gathered));
    keep(piece.subarray(written, gathered));
    gathered = 0;
  };
  const write = (line: string, bytes: number): void => {
    if (gathered + bytes > pieceBytes) flush();
    if (bytes > pieceBytes) keep(Buffer.from(line));
    // A line with as many bytes as characters is ASCII, so latin1 writes the same bytes as UTF-8.
    else gathered += piece.write(line, gathered, bytes === line.length ? 'latin1' : 'utf8');
  };
  const timer = setInterval(flush, GATHERED_MS).unref();
  return {
    write,
    async close() {
      clearInterval(timer);
      flush();
      for (let tries = 0, left = backlog.length; left > 0 && tries < LAST_TRIES; left = backlog.length) {
        await setTimeout(LAST_MS);
        writePieces(backlog);
        tries = backlog.length < left ? 0 : tries + 1;
      }
    },
  };
}

/** Writes as many buffers as the pipe accepts, and removes them. If there is no reader, removes all of them. */
function writePieces(pieces: Buffer[]): void {
  while (pieces.length > 0) {
    const piece = pieces[0]!;
    const written = tryWrite(piece);
    if (written === piece.length) pieces.shift();
    else {
      pieces[0] = piece.subarray(written);
      return;
    }
  }
}

/** @returns the number of bytes that were written or dropped */
function tryWrite(piece: Buffer): number {
  try {
    return fs.writeSync(STANDARD_ERROR, piece);
  } catch (error) {
    // A write to a full pipe is retried. Any other error means that nobody reads the pipe, so the error cannot be
    // reported either.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : piece.length;
  }
}

/** Runs a task in the background. A failure is a bug and is logged. */
export function goOn(work: Promise<unknown>, log: Pick<Log, 'error'>): void {
  work.catch((error) => log.error({ err: error }, 'a background task failed'));
}
