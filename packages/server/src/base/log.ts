import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import pino from 'pino';

export type Log = pino.Logger;

const STANDARD_ERROR = 2;

/**
 * The one root logger; a room gets `log.child({ room })`. Writes JSON lines to standard error,
 * so that what a command prints on standard output stays clean for machines.
 * Identifying headers never reach a line.
 */
export function createLog(level: string): Log {
  const redact = ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'];
  return pino({ level, base: null, redact }, pino.destination(STANDARD_ERROR));
}

/** A log of very many lines. */
export interface GatheringLog {
  /** Takes a line, with its end, of so many bytes. */
  write(line: string, bytes: number): void;
  /** Resolves when every line has been written, or nobody has read any for some seconds. */
  close(): Promise<void>;
}

/** So many bytes reach a pipe in one piece, also beside other threads that write to it: PIPE_BUF of Linux. */
const PIECE_BYTES = 4_096;
/** A file takes any piece whole. */
const FILE_PIECE_BYTES = 65_536;
/** How long a line is kept back for others to fill the piece. */
const GATHERED_MS = 250;
/** What waits while nobody reads the pipe; lines beyond it are lost rather than memory. */
const BACKLOG_PIECES = 1_000;
/** How often somebody may have read at the end, and for how many times in vain we look. */
const LAST_MS = 20;
const LAST_TRIES = 150;

/**
 * Gathers lines for standard error: one write for some twenty of them, or for three hundred where it is a file. It is written on this thread, as
 * handing so little to another costs ten times as much, and never waits: a pipe that is full says so at once, because Node
 * has set it so for the threads' own standard error.
 */
export function createGatheringLog(): GatheringLog {
  const backlog: Buffer[] = [];
  // One piece for all lines: a new one each time is memory of its own, and clearing that up cost more than all the rest.
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
    // As many bytes as characters: all of it is ASCII.
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

/** Writes the pieces that there is room for, and takes them away; also those that nobody will ever read. */
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

/** @returns how many bytes are dealt with */
function tryWrite(piece: Buffer): number {
  try {
    return fs.writeSync(STANDARD_ERROR, piece);
  } catch (error) {
    // No room now: later. Anything else means that there is no reader, and whom could we tell?
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : piece.length;
  }
}

/** Lets work go on that nobody waits for; what it fails of is a bug, and is logged. */
export function goOn(work: Promise<unknown>, log: Pick<Log, 'error'>): void {
  work.catch((error) => log.error({ err: error }, 'work in the background failed'));
}
