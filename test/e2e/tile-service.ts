import path from 'node:path';
import { inject } from 'vitest';
import { type Row, writeManifest } from '../support/catalogue.ts';
import { addSources, prepareData, type WriteSources } from '../support/prepared-data.ts';
import { type Server, startServer } from '../support/server.ts';

export interface Catalogue {
  write: WriteSources;
  /** Manifest rows of linked GIFs. */
  linked?: readonly Row[];
}

/** Serves a catalogue. Test files share the result of `write`. */
export async function servePage(
  folder: string,
  env: Record<string, string>,
  { write, linked = [] }: Catalogue,
): Promise<Server> {
  await prepareData(inject('prepared'), folder, write);
  const data = path.join(folder, 'data');
  if (linked.length > 0) await addSources(data, [writeManifest(path.join(folder, 'linked.jsonl'), linked)], env);
  return startServer(data, { ZOETROPE_THREADS: '1', ...env });
}
