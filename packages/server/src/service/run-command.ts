import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A command of zoetrope in a separate process. */
interface Command {
  /** Resolves with how the command ended. Never rejects. */
  ended: Promise<Ended>;
  /** Asks the command to end. */
  stop(): void;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  error: Error | undefined;
}

/** Starts a zoetrope command in a separate process; its output goes to standard error. */
function startCommand(...args: string[]): Command {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const { promise: ended, resolve } = Promise.withResolvers<Ended>();
  try {
    const child = spawn(process.execPath, [...process.execArgv, main, ...args], { stdio: ['ignore', 2, 2] });
    child.on('exit', (code, signal) => resolve({ code, signal, error: undefined }));
    child.on('error', (error) => {
      // If the process exists, only a signal failed.
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
    return { ended, stop: () => void child.kill('SIGTERM') };
  } catch (error) {
    resolve({ code: null, signal: null, error: error as Error });
    return { ended, stop: () => {} };
  }
}

/** Describes how a command ended. */
export function describeEnd({ code, signal, error }: Ended): string {
  if (error !== undefined) return `could not be started (${error.message})`;
  return signal ? `was stopped by ${signal}` : `ended with code ${code}`;
}

/** Runs a command until it ends, or the signal asks it to. */
export async function runCommand(until: AbortSignal, ...args: string[]): Promise<Ended> {
  const { ended, stop } = startCommand(...args);
  until.addEventListener('abort', stop);
  if (until.aborted) stop();
  const end = await ended;
  until.removeEventListener('abort', stop);
  return end;
}

/** Whether it was killed or could not start, so that it could not report the cause itself. */
export function isDead({ signal, error }: Ended): boolean {
  return signal !== null || error !== undefined;
}
