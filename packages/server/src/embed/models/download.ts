import fs from 'node:fs/promises';
import type { Response } from 'undici';
import { OperatorError } from '../../base/errors.ts';

/** Maximum time without data. A connection that receives no data for longer counts as broken. */
const SILENCE_MS = 30_000;

export interface Download {
  readonly url: string;
  readonly file: string;
  readonly maxBytes: number;
  /**
   * `done` is the number of bytes on disk. `total` is the number of bytes of the whole file, or null if the server does
   * not send it.
   */
  readonly onProgress: (done: number, total: number | null) => void;
  readonly signal: AbortSignal;
}

/**
 * Downloads into a file, and continues an interrupted download.
 * @throws OperatorError that names the host and says what to do, or the reason of `signal`
 */
export async function download(options: Download): Promise<void> {
  const { url, file, signal } = options;
  const { Agent, fetch } = await import('undici');
  const agent = new Agent({ headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });
  const handle = await fs.open(file, 'a');
  const ask = (from: number): Promise<Response> => {
    const headers = { 'accept-encoding': 'identity', ...(from > 0 ? { range: `bytes=${from}-` } : {}) };
    return fetch(url, { dispatcher: agent, signal, headers });
  };
  try {
    const { size } = await handle.stat();
    const resumed = await ask(size);
    // If the server does not support ranges, or its file is not larger than the file on disk, the download starts
    // again.
    const goesOn = resumed.headers.get('content-range')?.startsWith(`bytes ${size}-`) ?? false;
    const answer = resumed.status === 416 ? await ask(0) : resumed;
    checkStatus(answer, url);
    if (!goesOn) await handle.truncate(0);
    await write(answer, handle, goesOn ? size : 0, options);
  } catch (error) {
    signal.throwIfAborted();
    throw explained(error, url);
  } finally {
    await handle.close();
    await agent.destroy();
  }
}

async function write(answer: Response, handle: fs.FileHandle, from: number, options: Download): Promise<void> {
  const rest = Number(answer.headers.get('content-length') ?? Number.NaN);
  const total = Number.isFinite(rest) ? from + rest : null;
  let done = from;
  for await (const chunk of answer.body ?? []) {
    done += chunk.length;
    if (done > options.maxBytes) {
      await handle.truncate(0);
      throw new OperatorError(`${hostOf(options.url)} sent more than ${options.maxBytes} bytes; ${ADVICE}`);
    }
    await handle.writeFile(chunk);
    options.onProgress(done, total);
  }
}

const ADVICE = 'check ZOETROPE_MODELS_URL and your network proxy, or copy the model folder from another machine';

function checkStatus(answer: Response, url: string): void {
  if (answer.ok) return;
  throw new OperatorError(`${hostOf(url)} returned status ${answer.status} for ${new URL(url).pathname}; ${ADVICE}`);
}

function explained(error: unknown, url: string): unknown {
  const { code, cause } = error as NodeJS.ErrnoException;
  if (error instanceof OperatorError || code === 'ENOSPC' || code === 'EDQUOT') return error;
  const why = cause instanceof Error ? cause.message : (error as Error).message;
  const again = 'Run the command again to continue from there';
  return new OperatorError(
    `${hostOf(url)} cannot be reached, or it closed the connection: ${why}. ${again}. If that does not help, ${ADVICE}`,
    {
      cause: error,
    },
  );
}

function hostOf(url: string): string {
  return new URL(url).host;
}
