import { access, rename, writeFile } from 'node:fs/promises';

/** Writes a temporary file and renames it, so that a reader sees either the whole file or no file. */
export async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  await writeFile(`${file}.part`, content);
  await rename(`${file}.part`, file);
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
