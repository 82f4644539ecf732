import { access, rename, writeFile } from 'node:fs/promises';

/** Writes beside the file and renames, so that a reader sees it whole or not at all. */
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
