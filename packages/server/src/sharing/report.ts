import fs from 'node:fs/promises';
import path from 'node:path';
import { toldElsewhere } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';
import { chunks, revision } from '../records/index.ts';
import { tellerOf } from './gif-row.ts';
import { MANIFEST, readManifest } from './manifest.ts';
import { type CatalogueRow, listCatalogues, tables } from './tables.ts';

/** A followed catalogue, and how far it has been read. */
export interface FollowedCatalogue extends CatalogueRow {
  /** Number of GIFs in the parts that were read. */
  read: number;
  /** Number of these GIFs that this service already had from another source, and that therefore stay unchanged. */
  known: number;
}

/** The files of the published catalogue. */
export interface PublishedCatalogue {
  generation: number;
  gifs: number;
  parts: number;
  /** Compressed size of all parts. */
  bytes: number;
  /** Public key of the key pair that signed the catalogue, in hexadecimal. */
  pubkey: string;
  /** When it was written, in milliseconds since the Unix epoch. */
  writtenAt: number;
  /** Whether the published catalogue has all changes of the service's catalogue. */
  isCurrent: boolean;
}

/** Returns the followed catalogues with the numbers of their GIFs, by URL. */
export async function reportFollowed(db: Database): Promise<FollowedCatalogue[]> {
  const reports: FollowedCatalogue[] = [];
  for (const row of await listCatalogues(db)) {
    const members = tables(db).selectFrom('catalogueGifs').select('gif').where('catalogue', '=', row.url);
    const ids = (await members.execute()).map(({ gif }) => gif);
    let known = 0;
    for (const some of chunks(ids)) known += (await toldElsewhere(db, tellerOf(row.url), some)).size;
    reports.push({ ...row, read: ids.length, known });
  }
  return reports;
}

/** Returns the state of the published catalogue, or null if none was written. @param folder folder of its files */
export async function reportPublished(db: Database, folder: string): Promise<PublishedCatalogue | null> {
  const file = path.join(folder, MANIFEST);
  const bytes = await fs.readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (bytes === undefined) return null;
  const { id, pubkey, manifest } = readManifest(bytes);
  const parts = manifest.parts.filter((part) => part !== null);
  const shown = tables(db).selectFrom('publications').select('revision').where('manifest', '=', id);
  return {
    ...{ generation: manifest.generation, gifs: manifest.gifs, parts: parts.length, pubkey },
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    writtenAt: Math.floor((await fs.stat(file)).mtimeMs),
    isCurrent: (await shown.executeTakeFirst())?.revision === (await revision(db)),
  };
}
