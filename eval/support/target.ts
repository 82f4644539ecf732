import fs from 'node:fs';
import path from 'node:path';
import { startServer, temporaryFolder, zoetrope } from '../../test/support/server.ts';
import type { Options } from './options.ts';

/** The service that gets the questions. */
export interface Target {
  url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Name of the file that records which catalogue a data folder contains, so that a folder with another catalogue is not
 * reused.
 */
const NOTE = 'eval-sources.json';

/** Starts the service with the catalogue, or uses one that is already running. */
export async function openTarget({ server, store, catalogue, filler }: Options): Promise<Target> {
  if (server) return { url: server, [Symbol.asyncDispose]: async () => {} };
  const folder = store ? { path: path.resolve(store), [Symbol.dispose]: () => {} } : temporaryFolder();
  try {
    await prepare(folder.path, filler ? [catalogue, filler] : [catalogue]);
    const running = await startServer(folder.path);
    return {
      url: running.url,
      [Symbol.asyncDispose]: async () => {
        await running.stop();
        folder[Symbol.dispose]();
      },
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/** Ingests the manifests, or rebuilds the index in an existing folder, because the indexing code may have changed. */
async function prepare(data: string, sources: string[]): Promise<void> {
  for (const source of sources) if (!fs.existsSync(source)) throw new Error(`there is no file ${source}`);
  const filled = fs.existsSync(path.join(data, 'zoetrope.db'));
  const note = path.join(data, NOTE);
  const wanted = JSON.stringify(sources.map((file) => ({ name: path.basename(file), bytes: fs.statSync(file).size })));
  if (filled && fs.existsSync(note) && fs.readFileSync(note, 'utf8') !== wanted)
    throw new Error(`--store: ${data} was filled with other files; use another folder`);
  fs.mkdirSync(data, { recursive: true });
  if (!filled) fs.writeFileSync(note, wanted);
  console.error(filled ? 'rebuilding the index' : `ingesting ${sources.length} manifest(s)`);
  const { code, stdout, stderr } = await zoetrope(data, filled ? ['work', '--quiet'] : ['add', '--quiet', ...sources]);
  if (code !== 0) throw new Error(`the catalogue could not be ingested:\n${stdout}${stderr}`);
}
