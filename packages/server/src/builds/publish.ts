import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { BuildError, type SegmentManifest, type SegmentOutput } from '@zoetrope/search';
import { ORPHAN_MS, replaceDurably, syncFolder, writeDurably } from '../platform/files/index.ts';
import type { PublishedManifest } from './manifest.ts';

const POINTER = 'current';

/** Pattern for the names of builds (see `buildId`). */
const BUILD_ID = /^b[0-9a-f]{12}$/;

/** The state of the catalogue that a build shows, and the segments before its latest segment. */
export type Contents = Pick<PublishedManifest, 'revision' | 'policy' | 'earlier' | 'gifs'>;

/**
 * Writes a segment into a separate folder and then switches the pointer file by a rename. Even if this process dies,
 * readers find either the complete old build or the complete new one.
 */
export async function publishSegment(
  folder: string,
  manifest: PublishedManifest,
  output: SegmentOutput,
): Promise<void> {
  await fs.mkdir(folder, { recursive: true });
  await removeUnfinished(folder);
  const before = await readWholePublished(folder);
  const target = path.join(folder, manifest.build);
  if (await exists(target)) await writeManifest(target, manifest);
  else await writeSegment(target, manifest, output);
  await turnPointer(folder, manifest.build);
  // Readers may still be opening the previous build.
  await removeOthers(folder, [manifest, before ?? manifest]);
}

/** Publishes an existing build again under a later revision that shows the same GIFs. */
export async function publishUnchanged(
  folder: string,
  known: PublishedManifest,
  revision: number,
): Promise<PublishedManifest> {
  const manifest = { ...known, revision };
  await publishExisting(folder, manifest);
  return manifest;
}

/** Publishes a build whose segments are already in the folder. */
export async function publishExisting(folder: string, manifest: PublishedManifest): Promise<void> {
  const before = await readWholePublished(folder);
  // If another process has just published the same build, readers may still be opening the previous build.
  if (before?.build === manifest.build && before.revision === manifest.revision) return;
  await writeManifest(path.join(folder, manifest.build), manifest);
  await turnPointer(folder, manifest.build);
  await removeOthers(folder, [manifest, before ?? manifest]);
}

/**
 * Publishes again a build that is still in the folder.
 * @throws BuildError if a segment is missing or damaged
 */
export async function publishFrom(folder: string, build: string): Promise<PublishedManifest> {
  const manifest = await readManifest(folder, build);
  if (manifest === undefined) throw new BuildError(`the build ${build} is missing`);
  await readSegments(folder, manifest);
  await publishExisting(folder, manifest);
  return manifest;
}

/** Creates a segment's manifest. */
export function manifestOf({ manifest: engine }: SegmentOutput, contents: Contents): PublishedManifest {
  return { build: buildId(engine, contents.earlier), ...contents, engine };
}

async function writeSegment(target: string, manifest: PublishedManifest, output: SegmentOutput): Promise<void> {
  const part = `${target}.part`;
  await fs.mkdir(part);
  try {
    for (const [name, bytes] of output.sections) await writeDurably(path.join(part, name), bytes);
    await writeManifest(part, manifest);
    await syncFolder(part);
  } catch (error) {
    // An unfinished segment must not take up space on a full disk.
    await fs.rm(part, { recursive: true, force: true });
    throw error;
  }
  await fs.rename(part, target);
}

/**
 * Writes a manifest. A later revision of the catalogue can have the same content as an earlier revision. In that case,
 * only the revision number is updated.
 */
async function writeManifest(target: string, manifest: PublishedManifest): Promise<void> {
  await replaceDurably(path.join(target, 'manifest.json'), JSON.stringify(manifest, null, 2));
}

/** Removes the segments that a killed writer did not finish. Only one process at a time makes builds. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    if (name.endsWith('.part') && BUILD_ID.test(path.basename(name, '.part'))) await remove(folder, name);
  }
}

async function remove(folder: string, name: string): Promise<void> {
  await fs.rm(path.join(folder, name), { recursive: true, force: true });
}

async function exists(target: string): Promise<boolean> {
  return fs.stat(target).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the manifests of a build's segments, the base first.
 * @throws BuildError if a manifest is missing or damaged
 */
export async function readSegments(folder: string, published: PublishedManifest): Promise<PublishedManifest[]> {
  const earlier = await Promise.all(published.earlier.map((name) => readManifest(folder, name)));
  for (const [i, manifest] of earlier.entries()) {
    if (manifest === undefined) throw new BuildError(`the segment ${published.earlier[i]} is missing`);
  }
  return [...(earlier as PublishedManifest[]), published];
}

/**
 * Returns the published build's manifest, or undefined if no build has been published yet.
 * @throws BuildError if the manifest is damaged
 */
export async function readPublished(folder: string): Promise<PublishedManifest | undefined> {
  const build = (await readIfThere(path.join(folder, POINTER)))?.trim();
  if (build === undefined) return undefined;
  if (!BUILD_ID.test(build)) throw new BuildError(`the file ${POINTER} of the builds is damaged`);
  return readManifest(folder, build);
}

/** Returns a string that changes whenever a build is published. It is empty if no build has been published yet. */
export async function publishedState(folder: string): Promise<string> {
  // Publishing always replaces the pointer, even if its content stays the same.
  const pointer = await fs.stat(path.join(folder, POINTER)).catch(() => undefined);
  return pointer === undefined ? '' : `${pointer.ino} ${pointer.mtimeMs}`;
}

/**
 * Returns the manifest of a segment, or undefined if the segment is not there. @throws BuildError if the manifest is damaged
 */
export async function readManifest(folder: string, name: string): Promise<PublishedManifest | undefined> {
  const text = await readIfThere(path.join(folder, name, 'manifest.json'));
  return text === undefined ? undefined : parseManifest(text, name);
}

/**
 * Returns the same as `readPublished`, but returns undefined if the pointer or the manifest is damaged. The build must
 * then be made again.
 */
export async function readWholePublished(folder: string): Promise<PublishedManifest | undefined> {
  try {
    return await readPublished(folder);
  } catch (error) {
    if (error instanceof BuildError) return undefined;
    throw error;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Parses a manifest and checks it. A segment's name is a hash of its manifest and of the names of the segments before
 * it, so damage is detected.
 */
export function parseManifest(text: string, build: string): PublishedManifest {
  const manifest = parse(text) as Partial<PublishedManifest> | null | undefined;
  const engine = manifest?.engine;
  const isWhole = manifest?.build === build && Number.isSafeInteger(manifest.revision) && engine !== undefined;
  // Formats before 10 had no deltas.
  const earlier = manifest?.earlier ?? [];
  if (!isWhole || buildId(engine, earlier) !== build)
    throw new BuildError(`manifest.json of the build ${build} is damaged`);
  return { ...manifest, earlier } as PublishedManifest;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deletes all builds. New builds can be made from the catalogue. */
export async function removeBuilds(folder: string): Promise<void> {
  await fs.rm(folder, { recursive: true, force: true });
  await fs.mkdir(folder);
}

function buildId(manifest: SegmentManifest, earlier: readonly string[]): string {
  const content = JSON.stringify(earlier.length === 0 ? manifest : [...earlier, manifest]);
  return `b${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
}

async function turnPointer(folder: string, build: string): Promise<void> {
  // After a power cut, the pointer must not name a build whose folder is not on the disk.
  await syncFolder(folder);
  await replaceDurably(path.join(folder, POINTER), `${build}\n`);
  await syncFolder(folder);
}

/** Removes all segments that none of these builds needs, and all files that killed processes did not finish. */
async function removeOthers(folder: string, builds: readonly PublishedManifest[]): Promise<void> {
  const needed = new Set(builds.flatMap(({ build, earlier }) => [build, ...earlier]));
  for (const name of await fs.readdir(folder)) {
    const isUnneeded = BUILD_ID.test(name) && !needed.has(name);
    if (isUnneeded || (name.endsWith('.part') && (await isOld(path.join(folder, name))))) await remove(folder, name);
  }
}

/** Returns whether a file or folder is so old that no living process is still writing it. */
async function isOld(file: string): Promise<boolean> {
  const { mtimeMs } = await fs.stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return mtimeMs < Date.now() - ORPHAN_MS;
}
