import { createHash, randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry } from './catalogue/entry.ts';
import { SCRIPT } from './pool.ts';

/** A cache of drawn GIFs that several data folders share. If the cache fails, the GIFs are drawn again. */
export interface Drawings {
  /** Copies a GIF from the cache into a file. @returns whether the GIF was in the cache */
  copyTo(file: string, entry: Entry): Promise<boolean>;
  /** Stores a drawn GIF in the cache. */
  keep(file: string, entry: Entry): Promise<void>;
}

const NONE: Drawings = { copyTo: async () => false, keep: async () => {} };
const PREFIX = 'starter-';

/**
 * Opens the cache of GIFs that this version of the code has drawn, and removes the GIFs of other versions.
 * @param cache folder for all versions, or an empty string for no cache
 * @param script the program that draws
 */
export async function openDrawings(cache: string, script: URL = SCRIPT): Promise<Drawings> {
  // When the code runs from its sources, the code that draws is in many files, so it has no single version.
  if (cache === '' || script.href.endsWith('.ts')) return NONE;
  try {
    const name = `${PREFIX}${await versionOf(script)}`;
    const folder = join(cache, name);
    await mkdir(folder, { recursive: true });
    const others = (await readdir(cache)).filter((other) => other.startsWith(PREFIX) && other !== name);
    for (const other of others) await rm(join(cache, other), { recursive: true, force: true });
    return drawingsIn(folder);
  } catch {
    return NONE;
  }
}

/** Returns the version of the code and the artwork from which GIFs are drawn. */
async function versionOf(script: URL): Promise<string> {
  const artwork = createRequire(import.meta.url).resolve('@iconify-json/noto/package.json');
  const hash = createHash('sha256');
  for (const file of [fileURLToPath(script), artwork]) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 20);
}

function drawingsIn(folder: string): Drawings {
  const keptAs = (entry: Entry) =>
    join(folder, `${createHash('sha256').update(JSON.stringify(entry)).digest('hex')}.gif`);
  return {
    copyTo: (file, entry) => put(keptAs(entry), file),
    async keep(file, entry) {
      await put(file, keptAs(entry));
    },
  };
}

/**
 * Links or copies a file, so that the new file appears only when it is complete. Drawn GIFs are never changed in place.
 */
async function put(from: string, to: string): Promise<boolean> {
  const part = `${to}.${randomUUID()}.part`;
  try {
    await link(from, part).catch(() => copyFile(from, part));
    await rename(part, to);
    return true;
  } catch {
    await rm(part, { force: true }).catch(() => {});
    return false;
  }
}
