import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A command of zoetrope in a separate process. */
interface Command {
  /** Resolves when the command has ended, with the way in which it ended. Never rejects. */
  ended: Promise<Ended>;
  /** What the command prints; null if it is not wanted. */
  output: Readable | null;
  stop(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The reason why the command could not be started. */
  error: Error | undefined;
}

/** The progress of a command. */
export interface CommandProgress {
  phase: string;
  done: number;
  total: number | null;
}

interface CommandOptions {
  output: 'ignore' | 'pipe';
  /** If given, the command sends its progress instead of showing it. */
  onProgress?: (progress: CommandProgress) => void;
}

/** Starts a zoetrope command in a separate process. Its messages are shown, but not its result. */
function startCommand({ output, onProgress }: CommandOptions, ...args: string[]): Command {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const { promise: ended, resolve } = Promise.withResolvers<Ended>();
  try {
    const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
      stdio: ['ignore', output, 2, ...(onProgress ? (['ipc'] as const) : [])],
    });
    if (onProgress) child.on('message', (progress) => onProgress(progress as CommandProgress));
    child.on('exit', (code, signal) => resolve({ code, signal, error: undefined }));
    child.on('error', (error) => {
      // If the process exists, only a signal failed.
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
    return { ended, output: child.stdout, stop: (signal) => void child.kill(signal) };
  } catch (error) {
    resolve({ code: null, signal: null, error: error as Error });
    return { ended, output: null, stop: () => {} };
  }
}

/** Describes how a command ended. */
export function describeEnd({ code, signal, error }: Ended): string {
  if (error !== undefined) return `could not be started (${error.message})`;
  return signal ? `was stopped by ${signal}` : `ended with code ${code}`;
}

/**
 * Time that a command has to end after SIGTERM. After that, it is killed. Commands can be killed at any moment without
 * losses.
 */
const END_MS = 1_000;

/** Runs a command until it ends. When the signal aborts, asks the command to end. */
export function runCommand(until: AbortSignal, ...args: string[]): Promise<Ended> {
  return endWith(until, startCommand({ output: 'ignore' }, ...args));
}

/** Runs a command like `runCommand`, and reports its progress. */
export function followCommand(
  until: AbortSignal,
  onProgress: (progress: CommandProgress) => void,
  ...args: string[]
): Promise<Ended> {
  return endWith(until, startCommand({ output: 'ignore', onProgress }, ...args));
}

/** Runs a command until it ends, and returns what it printed. When the signal aborts, asks the command to end. */
export async function readCommand(until: AbortSignal, ...args: string[]): Promise<Ended & { output: string }> {
  const command = startCommand({ output: 'pipe' }, ...args);
  const output = command.output === null ? '' : text(command.output);
  const end = await endWith(until, command);
  return { ...end, output: await output };
}

async function endWith(until: AbortSignal, { ended, stop }: Command): Promise<Ended> {
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    stop('SIGTERM');
    killing = setTimeout(() => stop('SIGKILL'), END_MS);
  };
  until.addEventListener('abort', end);
  if (until.aborted) end();
  const how = await ended;
  until.removeEventListener('abort', end);
  clearTimeout(killing);
  return how;
}

/** Whether the command was killed or could not start, so that it could not report the cause itself. */
export function isDead({ signal, error }: Ended): boolean {
  return signal !== null || error !== undefined;
}
