import pino from 'pino';

export type Log = pino.Logger;

/**
 * The one root logger; a room gets `log.child({ room })`. Writes JSON lines to standard error,
 * so that what a command prints on standard output stays clean for machines.
 * Identifying headers never reach a line.
 */
export function createLog(level: string): Log {
  const redact = ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'];
  return pino({ level, base: null, redact }, pino.destination(2));
}
