import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { BuildError, FORMAT_VERSION } from '@zoetrope/search';
import { type BlobStore, readBlob } from '../platform/blobs/index.ts';
import { syncFile, syncFolder, writeDurably } from '../platform/files/index.ts';
import { type Hold, mayServe } from './hold.ts';
import type { PublishedManifest } from './manifest.ts';
import { parseManifest, publishExisting, readSegments, readWholePublished } from './publish.ts';

/** The prefix of all keys of shared builds. */
export const SHARED_BUILDS = 'builds/';
/**
 * Programs with another format see only their own builds, so old and new versions of the program can run side by side.
 */
const ROOT = `${SHARED_BUILDS}${FORMAT_VERSION}`;
const POINTERS = `${ROOT}/published/`;
/** Number of builds whose segments are kept for machines that are still downloading them. */
const KEPT = 5;
/** A revision has this number of digits, so that keys sort like numbers. */
const REVISION_DIGITS = 16;

/** Returns the key of the pointer to a build. Keys sort in the order of revisions. */
function pointerTo({ revision, build }: PublishedManifest): string {
  return `${POINTERS}${String(revision).padStart(REVISION_DIGITS, '0')}-${build}`;
}

/** The state of the catalogue that decides which shared build is the right one. */
interface PullOptions {
  /**
   * Returns the catalogue's revision, if it is known. Builds with a later revision were made before the catalogue was
   * restored from a backup, and are ignored. The revision is read after each build, because a process can publish a
   * build at any time.
   */
  revisionNow?: () => Promise<number>;
  /**
   * If a build is held, it is fetched instead of the latest build. After a hold, only builds from after the hold are
   * fetched.
   */
  hold?: Hold | undefined;
}

const UNKNOWN_REVISION = async () => Number.POSITIVE_INFINITY;

/**
 * Builds that machines share through a store. A segment is stored before the pointer to its build. The name of a
 * pointer contains the revision of the catalogue. So the last pointer is the latest, and machines that publish at the
 * same time overwrite nothing.
 */
export class SharedBuilds {
  readonly #blobs: BlobStore;
  readonly #folder: string;
  /** The build that the last `pull` could not use. */
  #unusable: { pointer: string; segment: string | undefined } | undefined;

  /** @param folder of this machine's builds */
  constructor(blobs: BlobStore, folder: string) {
    this.#blobs = blobs;
    this.#folder = folder;
  }

  /**
   * Publishes the latest shared build in this machine's folder, unless the folder already has a later build. Fetches
   * only missing segments.
   * @returns the folder's build; undefined if there is none
   * @throws BuildError if a segment is missing or damaged in the store (see `withdraw`), ServiceError if the store cannot
   * be read
   */
  async pull({ revisionNow = UNKNOWN_REVISION, hold }: PullOptions = {}): Promise<PublishedManifest | undefined> {
    this.#unusable = undefined;
    if (hold?.until === null) return this.#pullHeld(hold.build);
    const pointers = await this.#pointers();
    const own = await readWholePublished(this.#folder);
    const upTo = await revisionNow();
    const last = pointers.findLast((pointer) => revisionOf(pointer) <= upTo && mayServe(hold, builtAs(pointer)));
    if (!last) return own;
    const latest = await this.#fetchMissing(
      last,
      (revision) => own !== undefined && own.revision >= revision && own.revision <= upTo,
    );
    if (latest === undefined) return own;
    // A process of this machine may have published a later build in the meantime.
    const now = await readWholePublished(this.#folder);
    if (now !== undefined && now.revision >= latest.revision && now.revision <= (await revisionNow())) return now;
    await publishExisting(this.#folder, latest);
    return latest;
  }

  /** Publishes the held build in this machine's folder; undefined if it is not in the store any more. */
  async #pullHeld(build: string): Promise<PublishedManifest | undefined> {
    const pointer = (await this.#pointers()).findLast((key) => nameIn(key) === build);
    const held = pointer === undefined ? undefined : await this.#fetchMissing(pointer, () => false);
    if (held !== undefined) await publishExisting(this.#folder, held);
    return held;
  }

  /**
   * Fetches a build's segments, except those that this machine already has.
   * @param hasLater whether this machine has a build with this revision or a later one
   * @returns the build's manifest; undefined if this machine has a later build, or if the pointer was removed
   */
  async #fetchMissing(
    pointer: string,
    hasLater: (revision: number) => boolean,
  ): Promise<PublishedManifest | undefined> {
    let segment: string | undefined;
    try {
      const content = await readBlob(this.#blobs, pointer);
      if (content === null) return undefined;
      const manifest = parseManifest(Buffer.from(content).toString(), nameIn(pointer));
      if (hasLater(manifest.revision)) return undefined;
      for (segment of [...manifest.earlier, manifest.build]) await this.#fetch(segment);
      return manifest;
    } catch (error) {
      if (error instanceof BuildError) this.#unusable = { pointer, segment };
      throw error;
    }
  }

  /**
   * Removes the pointer to the build that the last `pull` could not use, because somebody overwrote or removed the
   * build's objects. The next `push` stores the missing objects. The caller must request a build with a later revision,
   * because machines that have this build would not fetch another build with the same revision.
   * @returns false if there is nothing to withdraw: the last `pull` succeeded, or the pointer is already gone
   */
  async withdraw(): Promise<boolean> {
    const unusable = this.#unusable;
    this.#unusable = undefined;
    // Another machine may have removed the build because the build was old.
    if (unusable === undefined || !(await this.#pointers()).includes(unusable.pointer)) return false;
    if (unusable.segment !== undefined) await this.#blobs.delete(keyOf(unusable.segment, 'manifest.json'));
    await this.#blobs.delete(unusable.pointer);
    return true;
  }

  /**
   * Copies a build from this machine's folder to the store, for other machines, and removes old builds from the store.
   * Does nothing if the store already has the build.
   * @param held name of the held build, which is never removed
   */
  async push(published: PublishedManifest, held?: string): Promise<void> {
    const pointer = pointerTo(published);
    const known = await this.#pointers();
    if (known.includes(pointer)) return;
    const segments = await readSegments(this.#folder, published);
    for (const segment of segments) await this.#store(segment);
    await this.#blobs.put(pointer, Buffer.from(JSON.stringify(published)));
    // Only one machine at a time makes builds, so a build with a later revision was made before the catalogue was
    // restored (see `pull`).
    const isHeld = published.build === held;
    const wrong = known.filter((other) => !isHeld && revisionOf(other) > published.revision);
    for (const other of wrong) await this.#blobs.delete(other);
    await this.#removeOld([...known.filter((other) => !wrong.includes(other)), pointer].sort(), held);
  }

  /** Returns whether the store has the build that is in this machine's folder, or a later build. */
  async isUpToDate(): Promise<boolean> {
    const own = await readWholePublished(this.#folder);
    const latest = (await this.#pointers()).at(-1);
    return own === undefined || (latest !== undefined && revisionOf(latest) >= own.revision);
  }

  async #pointers(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.#blobs.list(POINTERS)) keys.push(key);
    return keys.sort();
  }

  async #store(manifest: PublishedManifest): Promise<void> {
    const { build, engine } = manifest;
    // The manifest is stored last. If it is there, the segment is complete.
    if ((await this.#blobs.head(keyOf(build, 'manifest.json'))) !== null) return;
    for (const { name } of engine.sections) {
      await this.#blobs.put(keyOf(build, name), await fs.readFile(path.join(this.#folder, build, name)));
    }
    await this.#blobs.put(keyOf(build, 'manifest.json'), Buffer.from(JSON.stringify(manifest)));
  }

  async #fetch(name: string): Promise<void> {
    const target = path.join(this.#folder, name);
    if (await exists(target)) return;
    const content = await readBlob(this.#blobs, keyOf(name, 'manifest.json'));
    if (content === null) throw new BuildError(`the shared segment ${name} is missing`);
    const manifest = parseManifest(Buffer.from(content).toString(), name);
    const part = `${target}.${randomBytes(4).toString('hex')}.part`;
    await fs.mkdir(part, { recursive: true });
    try {
      for (const section of manifest.engine.sections) await this.#fetchSection(name, section, part);
      await writeDurably(path.join(part, 'manifest.json'), JSON.stringify(manifest, null, 2));
      await syncFolder(part);
      await fs.rename(part, target);
    } catch (error) {
      await fs.rm(part, { recursive: true, force: true });
      // Another process of this machine fetched the segment at the same time.
      if (!(await exists(target))) throw error;
    }
  }

  async #fetchSection(
    segment: string,
    { name, bytes, checksum }: PublishedManifest['engine']['sections'][number],
    folder: string,
  ): Promise<void> {
    const source = await this.#blobs.get(keyOf(segment, name));
    if (source === null) throw new BuildError(`section ${name} of the shared segment ${segment} is missing`);
    const file = path.join(folder, name);
    await pipeline(source, createWriteStream(file));
    let [sum, length] = [0, 0];
    for await (const chunk of createReadStream(file)) {
      sum = crc32(chunk, sum);
      length += chunk.length;
    }
    if (length !== bytes || sum !== checksum) {
      throw new BuildError(`section ${name} of the shared segment ${segment} is damaged`);
    }
    await syncFile(file);
  }

  async #removeOld(pointers: readonly string[], held: string | undefined): Promise<void> {
    const needed = new Set<string>();
    const old = pointers.slice(0, -KEPT).filter((pointer) => nameIn(pointer) !== held);
    for (const pointer of pointers.filter((other) => !old.includes(other))) {
      const content = await readBlob(this.#blobs, pointer);
      const manifest = content && parseWhole(Buffer.from(content).toString(), nameIn(pointer));
      if (manifest) for (const name of [manifest.build, ...manifest.earlier]) needed.add(name);
      else await this.#blobs.delete(pointer);
    }
    for (const pointer of old) await this.#blobs.delete(pointer);
    for await (const { key } of this.#blobs.list(`${ROOT}/`)) {
      if (!key.startsWith(POINTERS) && !needed.has(key.split('/')[2]!)) await this.#blobs.delete(key);
    }
  }
}

/** Returns the manifest, or undefined if somebody overwrote it. */
function parseWhole(text: string, build: string): PublishedManifest | undefined {
  try {
    return parseManifest(text, build);
  } catch (error) {
    if (error instanceof BuildError) return undefined;
    throw error;
  }
}

function keyOf(segment: string, file: string): string {
  return `${ROOT}/${segment}/${file}`;
}

function revisionOf(pointer: string): number {
  return Number(pointer.slice(POINTERS.length, POINTERS.length + REVISION_DIGITS));
}

function nameIn(pointer: string): string {
  return pointer.slice(POINTERS.length + REVISION_DIGITS + 1);
}

function builtAs(pointer: string): Pick<PublishedManifest, 'build' | 'revision'> {
  return { build: nameIn(pointer), revision: revisionOf(pointer) };
}

function exists(target: string): Promise<boolean> {
  return fs.stat(target).then(
    () => true,
    () => false,
  );
}
