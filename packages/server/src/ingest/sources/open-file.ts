import fs from 'node:fs/promises';
import path from 'node:path';
import { InputRefusal } from '../candidate.ts';

const { O_RDONLY, O_NONBLOCK } = fs.constants;

/** Describes a path that is not a regular file. Returns undefined for regular files. */
export function oddKind(stat: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}): string | undefined {
  if (stat.isFile()) return undefined;
  if (stat.isDirectory()) return 'a folder';
  if (stat.isSymbolicLink()) return 'a link';
  if (stat.isFIFO()) return 'a named pipe';
  return stat.isSocket() ? 'a socket' : 'a device';
}

/**
 * Opens a regular file. Other kinds of files are refused before and after opening, because a named pipe would wait for
 * its writer, and a device might have no end.
 * @param within a folder that must contain the file, even if its path contains links
 * @throws InputRefusal
 */
export async function openFile(file: string, within?: string): Promise<fs.FileHandle> {
  try {
    const real = await fs.realpath(file);
    if (within !== undefined && !real.startsWith((await fs.realpath(within)) + path.sep)) {
      throw new InputRefusal('bad_field', `file: a link leads to ${real}, outside the manifest's folder`);
    }
    refuseOdd(await fs.stat(real));
    const handle = await fs.open(real, O_RDONLY | (O_NONBLOCK ?? 0));
    try {
      refuseOdd(await handle.stat());
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof InputRefusal) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    // The file is readable, but this process has no file descriptors left.
    if (code === 'EMFILE' || code === 'ENFILE') throw error;
    const reason = code === 'ENOENT' ? 'missing_file' : 'unreadable_file';
    throw new InputRefusal(reason, `the file cannot be read (${code})`);
  }
}

function refuseOdd(stat: Parameters<typeof oddKind>[0]): void {
  const kind = oddKind(stat);
  if (kind !== undefined) throw new InputRefusal('not_a_file', `it is ${kind}; only regular files are read`);
}

/** Reads a regular file after checking its size. @throws InputRefusal */
export async function readWhole(file: string, maxBytes: number, within?: string): Promise<Uint8Array> {
  await using handle = await openFile(file, within);
  const { size } = await handle.stat();
  if (size > maxBytes) {
    const message = `the file has ${size} bytes; at most ${maxBytes} are read (ZOETROPE_MEDIA_MAX_BYTES)`;
    throw new InputRefusal('too_large', message);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await handle.read(bytes, at, size - at).catch((error: NodeJS.ErrnoException) => {
      throw new InputRefusal('unreadable_file', `the file cannot be read (${error.code})`);
    });
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}
