import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CLUSTER, zoetrope } from './server.ts';

/** Writes files below a folder. @returns the sources to add */
export type WriteSources = (folder: string) => Promise<string[]>;

/**
 * Prepares `FOLDER/data` as a data folder with these sources. The first caller ingests the sources. All others copy the
 * result.
 * @param prepared the folder that all test files in a run share
 * @param write results are shared by functions with the same name and the same code
 * @param env settings of the command that ingests the sources
 */
export async function prepareData(
  prepared: string,
  folder: string,
  write: WriteSources,
  env: Record<string, string> = {},
): Promise<void> {
  const engine = (env[CLUSTER] ?? process.env[CLUSTER]) === undefined ? 'embedded' : 'cluster';
  // Functions of two test files can have the same name.
  const code = createHash('sha256').update(write.toString()).digest('hex');
  const known = path.join(prepared, `${write.name}-${code}-${engine}`);
  const claim = `${known}-claim`;
  while (!fs.existsSync(known)) {
    if (isFirst(claim)) return ingest({ known, claim }, folder, write, env);
    // Another test file is ingesting the sources at this moment.
    await setTimeout(50);
  }
  fs.cpSync(known, folder, { recursive: true });
}

/** Creates a folder. @returns false if another process has created it */
function isFirst(claim: string): boolean {
  try {
    fs.mkdirSync(claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Ingests the sources, and copies the result for others. After a failure, the next caller tries again. */
async function ingest(
  { known, claim }: { known: string; claim: string },
  folder: string,
  write: WriteSources,
  env: Record<string, string>,
): Promise<void> {
  try {
    await addSources(path.join(folder, 'data'), await write(folder), env);
    fs.cpSync(folder, `${claim}/copy`, { recursive: true });
    fs.renameSync(`${claim}/copy`, known);
  } finally {
    fs.rmSync(claim, { recursive: true });
  }
}

/** @returns the build with the new GIFs @throws Error if the command fails */
export async function addSources(
  data: string,
  sources: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await zoetrope(data, ['add', '--quiet', '--json', ...sources], env);
  if (code !== 0) throw new Error(`zoetrope add failed: ${stderr}`);
  return (JSON.parse(stdout) as { build: string }).build;
}
