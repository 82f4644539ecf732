import { once } from 'node:events';
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
  log: Log;
  /** Resolves when every line has been written. */
  close(): Promise<void>;
}

/** So many bytes reach a pipe in one piece, also beside other threads that write to it: PIPE_BUF of Linux. */
const PIECE_BYTES = 4_096;
/** How long a line is kept back for others to fill the piece. */
const GATHERED_MS = 250;
/** What waits while nobody reads the pipe; lines beyond it are lost rather than memory. */
const BACKLOG_BYTES = 4_000_000;

/** A logger to standard error that gathers lines: one write for some twenty of them, and never a wait for the reader. */
export function createGatheringLog(): GatheringLog {
  const destination = pino.destination({
    fd: STANDARD_ERROR,
    sync: false,
    maxWrite: PIECE_BYTES,
    maxLength: BACKLOG_BYTES,
  });
  let gathered = '';
  let bytes = 0;
  const flush = (): void => {
    if (bytes > 0) destination.write(gathered);
    gathered = '';
    bytes = 0;
  };
  const write = (line: string): void => {
    const length = Buffer.byteLength(line);
    if (bytes + length > PIECE_BYTES) flush();
    gathered += line;
    bytes += length;
  };
  const timer = setInterval(flush, GATHERED_MS).unref();
  return {
    log: pino({ level: 'info', base: null }, { write }),
    async close() {
      clearInterval(timer);
      flush();
      const closed = once(destination, 'close');
      destination.end();
      await closed;
    },
  };
}
