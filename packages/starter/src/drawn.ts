import { createHash, randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry } from './catalogue/entry.ts';
import { SCRIPT } from './pool.ts';

/** Drawn GIFs that several data folders share. Whatever fails, the GIFs are drawn. */
export interface Drawings {
  /** Puts a GIF that was drawn before into a file. @returns whether it was there */
  copyTo(file: string, entry: Entry): Promise<boolean>;
  /** Keeps a drawn GIF. */
  keep(file: string, entry: Entry): Promise<void>;
}

const NONE: Drawings = { copyTo: async () => false, keep: async () => {} };
const PREFIX = 'starter-';

/**
 * Opens the GIFs that this version of the code has drawn, and removes those of other versions.
 * @param cache folder for all versions; empty: none
 * @param script the program that draws
 */
export async function openDrawings(cache: string, script: URL = SCRIPT): Promise<Drawings> {
  // From the sources, the code that draws is in many files.
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

/** Names the code and the artwork that GIFs are drawn from. */
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

/** Links or copies a file, so that the new one appears when it is complete. Drawn GIFs are never changed in place. */
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
