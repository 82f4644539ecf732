import { createHash } from 'node:crypto';
import fs from 'node:fs';
import fsp, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';

/*
 * Simulates power cuts, after which only flushed data is certain to be on the disk.
 *
 * A file system promises only that a file's bytes survive a power cut after a sync of the file, and that the entries of
 * a folder survive after a sync of the folder. All other changes can be lost or kept, in any order. While an action
 * runs, this module watches its syncs, and computes the states that a power cut could leave at each moment:
 *
 *   - only the flushed changes
 *   - also all changes of entries, but bytes that were not flushed are lost
 *   - also one change of an entry, or all changes of entries but one
 *   - all changes, as if only the process was killed
 */

/** Files by their path within a folder, with `/`. The content of a folder is null. */
export type Files = ReadonlyMap<string, Uint8Array | null>;

/** The possible states of a folder after a power cut. */
export interface Remains {
  /** The possible states if power fails during the action. */
  during: Files[];
  /** The possible states if power fails after the action. */
  after: Files[];
}

/** Whether the module works on this system. It reads the paths of open files from Linux's /proc. */
export const CAN_CUT_POWER = process.platform === 'linux';

interface Options {
  /** Returns whether a path within the folder is part of the result. By default, all paths are. */
  isRelevant?: (name: string) => boolean;
}

/**
 * Runs an action and returns the possible states of a folder after a power cut. The content of the folder before the
 * action counts as flushed.
 */
export async function cutPower(
  folder: string,
  act: () => Promise<unknown>,
  { isRelevant = () => true }: Options = {},
): Promise<Remains> {
  using disk = new Disk(folder, isRelevant);
  const during = new Map<string, Files>();
  const after = new Map<string, Files>();
  const watch = await watchSyncs(disk, () => disk.addStates(during));
  try {
    await act();
  } finally {
    watch.stop();
  }
  disk.addStates(after);
  return { during: [...during.values()], after: [...after.values()] };
}

/** Reads a folder with all its content. */
export function readFiles(folder: string): Map<string, Uint8Array | null> {
  const found = new Map<string, Uint8Array | null>();
  const visit = (place: string, prefix: string) => {
    for (const entry of unlessGone(() => fs.readdirSync(place, { withFileTypes: true })) ?? []) {
      const full = path.join(place, entry.name);
      const bytes = entry.isDirectory() ? null : unlessGone(() => fs.readFileSync(full));
      if (bytes !== undefined) found.set(prefix + entry.name, bytes);
      if (bytes === null) visit(full, `${prefix}${entry.name}/`);
    }
  };
  visit(folder, '');
  return found;
}

/** Returns undefined if a file is gone. While files are listed, the action can rename and remove them. */
function unlessGone<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of files) {
    const full = path.join(folder, name);
    fs.mkdirSync(content === null ? full : path.dirname(full), { recursive: true });
    if (content !== null) fs.writeFileSync(full, content);
  }
}

/** Calls `onMoment` before each change that the action makes, and reports each sync to the disk. */
async function watchSyncs(disk: Disk, onMoment: () => void): Promise<{ stop(): void }> {
  const handle = await fsp.open(os.devNull);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = prototype;
  prototype.sync = async function (this: FileHandle) {
    onMoment();
    // The content is read before the sync, because changes during a sync may not be flushed.
    const flushed = disk.read(fs.readlinkSync(`/proc/self/fd/${this.fd}`));
    await sync.call(this);
    flushed?.();
  };
  const { rename, rm, unlink, mkdir } = fsp;
  const beforeEach = <Arguments extends unknown[], Result>(call: (...given: Arguments) => Result) =>
    function watched(...given: Arguments): Result {
      onMoment();
      return call(...given);
    };
  Object.assign(fsp, {
    rename: beforeEach(rename),
    rm: beforeEach(rm),
    unlink: beforeEach(unlink),
    mkdir: beforeEach(mkdir as (...given: unknown[]) => unknown),
  });
  syncBuiltinESMExports();
  return {
    stop() {
      prototype.sync = sync;
      Object.assign(fsp, { rename, rm, unlink, mkdir });
      syncBuiltinESMExports();
    },
  };
}

/** The file system's number for a file or folder. It stays the same when the file is renamed. */
type Inode = number;

interface Entry {
  inode: Inode;
  isFolder: boolean;
}

type Entries = ReadonlyMap<string, Entry>;

/** A change of a folder's entry that was not flushed. */
interface Change {
  folder: Inode;
  name: string;
  /** Undefined if the entry was removed. */
  entry: Entry | undefined;
}

interface Content {
  bytes: Uint8Array;
  hash: string;
}

const NOTHING: Content = contentOf(new Uint8Array());

function contentOf(bytes: Uint8Array): Content {
  return { bytes, hash: createHash('sha256').update(bytes).digest('base64') };
}

/** The flushed state of a folder. */
class Disk {
  readonly #folder: string;
  readonly #isRelevant: (name: string) => boolean;
  readonly #root: Inode;
  readonly #entries = new Map<Inode, Entries>();
  readonly #contents = new Map<Inode, Content>();
  /**
   * Open files of all inodes that were seen. They stay open, because a file system gives the number of a removed file
   * to a new file.
   */
  readonly #held = new Map<Inode, number>();

  constructor(folder: string, isRelevant: (name: string) => boolean) {
    this.#folder = fs.realpathSync(folder);
    this.#isRelevant = isRelevant;
    this.#root = fs.statSync(folder).ino;
    this.read(this.#folder)?.();
    for (const name of fs.readdirSync(this.#folder, { recursive: true, encoding: 'utf8' }))
      this.read(path.join(this.#folder, name))?.();
  }

  [Symbol.dispose](): void {
    for (const file of this.#held.values()) fs.closeSync(file);
  }

  /**
   * Reads a file or folder. @returns a function that records the content as flushed; undefined if the file is outside
   * the folder or gone
   */
  read(full: string): (() => void) | undefined {
    if (full !== this.#folder && !full.startsWith(this.#folder + path.sep)) return undefined;
    return unlessGone(() => {
      const inode = this.#hold(full);
      if (fs.statSync(full).isDirectory()) {
        const entries = this.#entriesNow(full);
        return () => void this.#entries.set(inode, entries);
      }
      const content = contentOf(fs.readFileSync(full));
      return () => void this.#contents.set(inode, content);
    });
  }

  /**
   * Adds all states that are possible after a power cut at this moment. Each state is stored under a text that
   * identifies it.
   */
  addStates(states: Map<string, Files>): void {
    const changes = this.#changes();
    this.#addState(states, []);
    this.#addState(states, changes);
    for (const change of changes) {
      this.#addState(states, [change]);
      this.#addState(
        states,
        changes.filter((other) => other !== change),
      );
    }
    const now = [...readFiles(this.#folder)].filter(([name]) => this.#isRelevant(name));
    add(states, new Map(now.map(([name, bytes]) => [name, bytes && contentOf(bytes)])));
  }

  #addState(states: Map<string, Files>, changes: readonly Change[]): void {
    const found = new Map<string, Content | null>();
    const visit = (folder: Inode, prefix: string) => {
      const entries = new Map(this.#entries.get(folder));
      for (const { name, entry } of changes.filter((change) => change.folder === folder)) {
        if (entry === undefined) entries.delete(name);
        else entries.set(name, entry);
      }
      for (const [name, { inode, isFolder }] of entries) {
        if (this.#isRelevant(prefix + name))
          found.set(prefix + name, isFolder ? null : (this.#contents.get(inode) ?? NOTHING));
        if (isFolder) visit(inode, `${prefix}${name}/`);
      }
    };
    visit(this.#root, '');
    add(states, found);
  }

  /** Returns the differences between the flushed entries and the current ones. */
  #changes(): Change[] {
    const now = new Map<Inode, Entries>();
    const visit = (folder: string, inode: Inode) => {
      const entries = this.#entriesNow(folder);
      now.set(inode, entries);
      for (const [name, entry] of entries) if (entry.isFolder) visit(path.join(folder, name), entry.inode);
    };
    visit(this.#folder, this.#root);
    return [...new Set([...this.#entries.keys(), ...now.keys()])].flatMap((folder) => {
      const [flushed, current] = [this.#entries.get(folder), now.get(folder)];
      const names = new Set([...(flushed?.keys() ?? []), ...(current?.keys() ?? [])]);
      return [...names].flatMap((name) => {
        const entry = current?.get(name);
        return entry?.inode === flushed?.get(name)?.inode ? [] : [{ folder, name, entry }];
      });
    });
  }

  #entriesNow(folder: string): Entries {
    const entries = new Map<string, Entry>();
    for (const entry of unlessGone(() => fs.readdirSync(folder, { withFileTypes: true })) ?? []) {
      const inode = unlessGone(() => this.#hold(path.join(folder, entry.name)));
      if (inode !== undefined) entries.set(entry.name, { inode, isFolder: entry.isDirectory() });
    }
    return entries;
  }

  #hold(full: string): Inode {
    const { ino } = fs.statSync(full);
    if (this.#held.has(ino)) return ino;
    const file = fs.openSync(full, 'r');
    const inode = fs.fstatSync(file).ino;
    // Another file may have the name now.
    if (this.#held.has(inode)) fs.closeSync(file);
    else this.#held.set(inode, file);
    return inode;
  }
}

function add(states: Map<string, Files>, found: ReadonlyMap<string, Content | null>): void {
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const key = sorted.map(([name, content]) => `${name} ${content?.hash ?? ''}`).join('\n');
  if (states.has(key)) return;
  states.set(key, new Map(sorted.map(([name, content]) => [name, content?.bytes ?? null])));
}
