import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { BuildError, type BuildManifest, type BuildOutput } from '@zoetrope/search';
import { syncFolder, writeDurably } from '../platform/files/index.ts';
import type { PublishedManifest } from './manifest.ts';

const POINTER = 'current';

/** Names of builds (see `buildId`). */
const BUILD_ID = /^b[0-9a-f]{12}$/;

/** Builds kept on disk: the live one, and the previous one for readers that are still opening it. */
const KEEP = 2;

/**
 * Writes a build into a folder of its own and then switches the pointer file by a rename, so that readers find either
 * the complete old build or the complete new one, even if this process dies at any moment.
 */
export async function publishBuild(
  folder: string,
  output: BuildOutput,
  shows: Pick<PublishedManifest, 'revision' | 'policy'>,
): Promise<PublishedManifest> {
  const manifest = manifestOf(output, shows);
  await fs.mkdir(folder, { recursive: true });
  await removeLeftovers(folder);
  const target = path.join(folder, manifest.build);
  if (await exists(target)) await writeManifest(target, manifest);
  else await writeBuild(target, manifest, output);
  await turnPointer(folder, manifest.build);
  await removeOldBuilds(folder, manifest.build);
  return manifest;
}

/** Creates a build's manifest. @param shows which part of the catalogue the build contains */
export function manifestOf(
  { manifest: engine }: BuildOutput,
  shows: Pick<PublishedManifest, 'revision' | 'policy'>,
): PublishedManifest {
  return { build: buildId(engine), ...shows, engine };
}

async function writeBuild(target: string, manifest: PublishedManifest, output: BuildOutput): Promise<void> {
  const part = `${target}.part`;
  await fs.mkdir(part);
  try {
    for (const [name, bytes] of output.sections) await writeDurably(path.join(part, name), bytes);
    await writeManifest(part, manifest);
  } catch (error) {
    // An unfinished build must not take up space on a full disk.
    await fs.rm(part, { recursive: true, force: true });
    throw error;
  }
  await fs.rename(part, target);
}

/** A later revision of the catalogue can have the same content as an earlier one. In that case only the revision number is updated. */
async function writeManifest(target: string, manifest: PublishedManifest): Promise<void> {
  const part = path.join(target, 'manifest.json.part');
  await writeDurably(part, JSON.stringify(manifest, null, 2));
  await fs.rename(part, path.join(target, 'manifest.json'));
}

/** Removes unfinished builds of writers that were killed. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    if (name.endsWith('.part')) await fs.rm(path.join(folder, name), { recursive: true, force: true });
  }
}

async function exists(target: string): Promise<boolean> {
  return fs.stat(target).then(
    () => true,
    () => false,
  );
}

/** The published build's manifest, or undefined if there is none yet. @throws BuildError if it is damaged */
export async function readPublished(folder: string): Promise<PublishedManifest | undefined> {
  const build = (await readIfThere(path.join(folder, POINTER)))?.trim();
  if (build === undefined) return undefined;
  if (!BUILD_ID.test(build)) throw new BuildError(`the file ${POINTER} of the builds is damaged`);
  const text = await readIfThere(path.join(folder, build, 'manifest.json'));
  return text === undefined ? undefined : parseManifest(text, build);
}

/** The same, but also undefined for a damaged build, which has to be rebuilt like a missing one. */
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

/** A build is named by a hash of its manifest, which reveals damage. */
function parseManifest(text: string, build: string): PublishedManifest {
  const manifest = parse(text) as Partial<PublishedManifest> | null | undefined;
  const engine = manifest?.engine;
  const isWhole = manifest?.build === build && Number.isSafeInteger(manifest.revision) && engine !== undefined;
  if (!isWhole || buildId(engine) !== build) throw new BuildError(`manifest.json of the build ${build} is damaged`);
  return manifest as PublishedManifest;
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

function buildId(manifest: BuildManifest): string {
  return `b${createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 12)}`;
}

async function turnPointer(folder: string, build: string): Promise<void> {
  const part = path.join(folder, `${POINTER}.part`);
  await writeDurably(part, `${build}\n`);
  await fs.rename(part, path.join(folder, POINTER));
  await syncFolder(folder);
}

async function removeOldBuilds(folder: string, current: string): Promise<void> {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  const builds = entries.filter((entry) => entry.isDirectory() && entry.name !== current);
  const aged = await Promise.all(
    builds.map(async ({ name }) => ({ name, at: (await fs.stat(path.join(folder, name))).mtimeMs })),
  );
  aged.sort((a, b) => b.at - a.at);
  for (const { name } of aged.slice(KEEP - 1)) await fs.rm(path.join(folder, name), { recursive: true, force: true });
}
