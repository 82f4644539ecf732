import fs from 'node:fs/promises';
import path from 'node:path';
import { BuildError } from '@zoetrope/search';
import type { PublishedManifest } from './manifest.ts';
import { readManifest, readSegments, readWholePublished } from './publish.ts';

/** A complete build in a folder. */
export interface ListedBuild {
  build: string;
  /** The segments before its latest one, the base first. */
  earlier: string[];
  revision: number;
  gifs: number;
  /** Size of all its segments. Builds can share segments. */
  bytes: number;
  /** When its latest segment was written to this disk, in milliseconds since the Unix epoch. */
  writtenAt: number;
  /** Whether it is the published build. */
  isCurrent: boolean;
}

/** Returns the complete builds in a folder, latest first. Damaged and incomplete builds are left out. */
export async function listBuilds(folder: string): Promise<ListedBuild[]> {
  const current = await readWholePublished(folder);
  const builds: ListedBuild[] = [];
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const listed = await describe(folder, entry.name).catch(orUndefined);
    if (listed !== undefined) builds.push({ ...listed, isCurrent: listed.build === current?.build });
  }
  return builds.sort((a, b) => b.revision - a.revision || b.writtenAt - a.writtenAt);
}

async function describe(folder: string, name: string): Promise<Omit<ListedBuild, 'isCurrent'> | undefined> {
  const manifest = await readManifest(folder, name);
  if (manifest === undefined) return undefined;
  const segments = await readSegments(folder, manifest);
  const [section] = manifest.engine.sections;
  const { mtimeMs } = await fs.stat(path.join(folder, name, section!.name));
  const { build, earlier, revision, gifs } = manifest;
  const bytes = segments.reduce((sum, segment) => sum + bytesOf(segment), 0);
  return { build, earlier, revision, gifs, bytes, writtenAt: Math.round(mtimeMs) };
}

function bytesOf({ engine }: PublishedManifest): number {
  return engine.sections.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The writer can remove a build while it is listed. */
function orUndefined(error: unknown): undefined {
  const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
  if (!isGone && !(error instanceof BuildError)) throw error;
}
