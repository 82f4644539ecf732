import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file whose bytes are on the disk when this settles. Its entry in the folder may not be yet: see `syncFolder`.
 * @param mode of a new file
 */
export async function writeDurably(file: string, content: Uint8Array | string, mode?: number): Promise<void> {
  const handle = await fs.open(file, 'w', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Settles when the bytes of a file are on the disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await fs.open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** Settles when the entries of a folder are on the disk; of its files only their names. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await fs.open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Makes a folder, and those above it that are missing. Each is an entry of the one above, which must reach the disk too. */
export async function makeFolderDurably(folder: string): Promise<void> {
  const first = await fs.mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made));
}
