import fs from 'node:fs';
import path from 'node:path';
import { CLUSTER, zoetrope } from './server.ts';

/** Writes files below a folder. @returns the sources to add */
export type WriteSources = (folder: string) => Promise<string[]>;

/**
 * Prepares `FOLDER/data` as a data folder with these sources. The first caller ingests the sources. The others copy the
 * result.
 * @param prepared the folder that all test files in a run share
 * @param write its name is the name of the result
 * @param env settings of the command that ingests the sources
 */
export async function prepareData(
  prepared: string,
  folder: string,
  write: WriteSources,
  env: Record<string, string> = {},
): Promise<void> {
  const engine = (env[CLUSTER] ?? process.env[CLUSTER]) === undefined ? 'embedded' : 'cluster';
  const known = path.join(prepared, `${write.name}-${engine}`);
  if (fs.existsSync(known)) return fs.cpSync(known, folder, { recursive: true });
  await addSources(path.join(folder, 'data'), await write(folder), env);
  const copy = `${known}-${path.basename(folder)}`;
  fs.cpSync(folder, copy, { recursive: true });
  try {
    fs.renameSync(copy, known);
  } catch {
    // Another test file was faster.
    fs.rmSync(copy, { recursive: true });
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
