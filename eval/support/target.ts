import fs from 'node:fs';
import path from 'node:path';
import { startServer, temporaryFolder, zoetrope } from '../../test/support/server.ts';
import type { Options } from './options.ts';

/** The service that is asked. */
export interface Target {
  url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a kept data folder was filled with, so that it is never taken for another catalogue. */
const NOTE = 'eval-sources.json';

/** Starts the service over the catalogue, or takes the one that runs already. */
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

/** Takes the manifests in, or makes the build of a folder anew: the code that builds may have changed. */
async function prepare(data: string, sources: string[]): Promise<void> {
  for (const source of sources) if (!fs.existsSync(source)) throw new Error(`there is no file ${source}`);
  const filled = fs.existsSync(path.join(data, 'zoetrope.db'));
  const note = path.join(data, NOTE);
  const wanted = JSON.stringify(sources.map((file) => ({ name: path.basename(file), bytes: fs.statSync(file).size })));
  if (filled && fs.existsSync(note) && fs.readFileSync(note, 'utf8') !== wanted)
    throw new Error(`--store: ${data} was filled with other files; take another folder`);
  fs.mkdirSync(data, { recursive: true });
  if (!filled) fs.writeFileSync(note, wanted);
  console.error(filled ? 'making the build anew' : `taking in ${sources.length} manifest(s)`);
  const { code, stdout, stderr } = await zoetrope(data, filled ? ['work', '--quiet'] : ['add', '--quiet', ...sources]);
  if (code !== 0) throw new Error(`the catalogue could not be taken in:\n${stdout}${stderr}`);
}
