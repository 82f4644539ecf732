import fs from 'node:fs/promises';
import path from 'node:path';
import { type Candidate, InputRefusal, NOTHING_TOLD } from '../candidate.ts';
import { oddKind } from './open-file.ts';
import { wordsOfName } from './titles.ts';

const IMAGE_NAME = /\.(gif|webp)$/i;

/** An entry of a folder that is skipped, with the reason. */
export interface Unread {
  path: string;
  refusal: InputRefusal;
}

/**
 * Reads every .gif and .webp below a folder, in name order. The file name becomes the title, and sub-folders become
 * tags. Unreadable entries are reported and do not stop reading.
 */
export async function* readFolder(root: string, folder: string = root): AsyncGenerator<Candidate | Unread> {
  const { entries, error } = await listFolder(folder);
  if (error !== undefined) {
    const message = `the folder cannot be read (${error}); check its permissions and the length of its path`;
    yield { path: folder, refusal: new InputRefusal('unreadable_source', message) };
  }
  for (const { entry, name, isText } of entries) {
    const full = path.join(folder, name);
    const kind = oddKind(entry);
    const isFolder = entry.isDirectory();
    if (kind !== undefined && !isFolder) {
      yield { path: full, refusal: new InputRefusal('skipped', `it is ${kind}, which is not read`) };
    } else if (isFolder || IMAGE_NAME.test(name)) {
      if (!isText) yield { path: full, refusal: new InputRefusal('bad_name', 'its name is not UTF-8; rename it') };
      else if (isFolder) yield* readFolder(root, full);
      else yield fileCandidate(full, root);
    }
  }
}

/** Returns a folder's readable entries, in name order, and the reasons why the other entries cannot be read. */
async function listFolder(folder: string) {
  try {
    const entries = await fs.readdir(folder, { withFileTypes: true, encoding: 'buffer' });
    const named = entries.map((entry) => ({ entry, ...readName(entry.name) }));
    return { entries: named.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The folder is readable, but this process has no file descriptors left.
    if (code === 'EMFILE' || code === 'ENFILE') throw error;
    return { entries: [], error: code };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns a name as text. Files with names in another encoding cannot be opened. The bytes of such a name are written
 * as \xNN.
 */
function readName(name: Uint8Array): { name: string; isText: boolean } {
  try {
    return { name: utf8.decode(name), isText: true };
  } catch {
    const escaped = Array.from(name, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`));
    return { name: escaped.join(''), isText: false };
  }
}

/** Returns the candidate for a file that a member uploaded. An operator must review it. */
export function uploadCandidate(file: string): Candidate {
  const { told, ...candidate } = fileCandidate(file);
  return { ...candidate, told: { ...told, source: 'member' }, awaitsReview: true };
}

/** Returns the candidate for a single file. The folders between `root` and the file become tags. */
export function fileCandidate(file: string, root: string = path.dirname(file)): Candidate {
  const folders = path.relative(root, path.dirname(file)).split(path.sep);
  const tags = folders.map((name) => wordsOfName(name).toLowerCase()).filter((tag) => tag !== '');
  return {
    path: file,
    previews: 'all',
    told: { ...NOTHING_TOLD, title: wordsOfName(path.basename(file)), tags, source: 'folder', toldBy: file },
  };
}
