import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A command of our own in a process of its own. */
interface Command {
  /** How it ended. Never rejects. */
  ended: Promise<Ended>;
  /** Asks it to end. */
  stop(): void;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  error: Error | undefined;
}

/** Starts a command of our own in a process of its own; what it says goes to where errors go. */
function startCommand(...args: string[]): Command {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const { promise: ended, resolve } = Promise.withResolvers<Ended>();
  try {
    const child = spawn(process.execPath, [...process.execArgv, main, ...args], { stdio: ['ignore', 2, 2] });
    child.on('exit', (code, signal) => resolve({ code, signal, error: undefined }));
    child.on('error', (error) => {
      // A process that is there may only have missed a signal.
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
    return { ended, stop: () => void child.kill('SIGTERM') };
  } catch (error) {
    resolve({ code: null, signal: null, error: error as Error });
    return { ended, stop: () => {} };
  }
}

/** How a command ended, in words. */
export function describeEnd({ code, signal, error }: Ended): string {
  if (error !== undefined) return `could not be started (${error.message})`;
  return signal ? `was stopped by ${signal}` : `ended with code ${code}`;
}

/** Runs a command until it ends, or until the signal asks it to. */
export async function runCommand(until: AbortSignal, ...args: string[]): Promise<Ended> {
  const { ended, stop } = startCommand(...args);
  until.addEventListener('abort', stop);
  if (until.aborted) stop();
  const end = await ended;
  until.removeEventListener('abort', stop);
  return end;
}

/** Whether it came to an end that it cannot have told of itself. */
export function isDead({ signal, error }: Ended): boolean {
  return signal !== null || error !== undefined;
}
