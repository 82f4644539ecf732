import fs from 'node:fs/promises';
import path from 'node:path';
import { type Candidate, InputRefusal, NOTHING_TOLD } from './candidate.ts';
import { wordsOfName } from './titles.ts';

const IMAGE_NAME = /\.(gif|webp)$/i;

/** Every .gif and .webp below a folder, in name order; its name is the title, its sub-folders are tags. */
export async function* readFolder(root: string, folder: string = root): AsyncGenerator<Candidate> {
  const entries = await listFolder(folder);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* readFolder(root, full);
    else if (entry.isFile() && IMAGE_NAME.test(entry.name)) yield fileCandidate(full, root);
  }
}

async function listFolder(folder: string) {
  try {
    return await fs.readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputRefusal('unreadable_source', `${folder} cannot be read (${code}); check its permissions`);
  }
}

/** A single file; below `root`, the folders in between become tags. */
export function fileCandidate(file: string, root: string = path.dirname(file)): Candidate {
  const folders = path.relative(root, path.dirname(file)).split(path.sep);
  const tags = folders.map((name) => wordsOfName(name).toLowerCase()).filter((tag) => tag !== '');
  return {
    path: file,
    previews: 'all',
    told: { ...NOTHING_TOLD, title: wordsOfName(path.basename(file)), tags, source: 'folder', toldBy: file },
  };
}
