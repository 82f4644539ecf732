import { OperatorError } from '../base/errors.ts';
import { recordGifs, toldElsewhere, withdrawGifs } from '../catalog/index.ts';
import { hideBlocked, isBlockedByHash } from '../moderation/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { DownloadError } from '../platform/fetch/index.ts';
import { bumpRevision, chunks, currentId } from '../records/index.ts';
import { tellerOf } from './gif-row.ts';
import { type Manifest, type Part, PLACE_BITS, partAt, type SignedManifest, shownKey } from './manifest.ts';
import { fetchManifest, fetchPart, nameError, type PlacedGif, type Remote } from './remote.ts';
import { type CatalogueRow, tables } from './tables.ts';

/** Number of parts that are fetched ahead. */
const AHEAD = 3;

export interface ReadOptions extends Remote {
  db: Database;
  /** Milliseconds since the Unix epoch. */
  now: number;
  onProgress(done: number, total: number): void;
}

/** The result of reading a catalogue. */
export interface ReadResult {
  /** Number of GIFs in the whole catalogue. */
  gifs: number;
  /** Number of parts that had changed, their compressed size, and the number of their GIFs. */
  parts: number;
  bytes: number;
  read: number;
  /** Number of GIFs that this service already had from another source, and that therefore stay unchanged. */
  known: number;
  /** Number of GIFs that the publisher removed. */
  removed: number;
}

/**
 * Reads the parts of a catalogue that have changed. Each part is one transaction, and an invalid part changes nothing.
 * If reading stops, the next call reads the other parts.
 * @throws OperatorError that names the URL and the fault. Its message is also saved
 */
export async function readCatalogue(options: ReadOptions): Promise<ReadResult> {
  const { db, url, now } = options;
  const save = (change: Partial<CatalogueRow>) =>
    tables(db).updateTable('catalogues').set(change).where('url', '=', url).execute();
  try {
    const result = await readChanges(options);
    await save({ checkedAt: now, readAt: now, error: null });
    return result;
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof OperatorError || error instanceof DownloadError)) throw error;
    const named = error instanceof DownloadError ? nameError(url, error) : error;
    await save({ checkedAt: now, error: named.message });
    throw named;
  }
}

async function readChanges(options: ReadOptions): Promise<ReadResult> {
  const { db, url, signal, onProgress } = options;
  const { manifest } = await acceptManifest(options, await fetchManifest(options));
  const due = await changedParts(db, url, manifest);
  const result = { gifs: manifest.gifs, parts: 0, bytes: 0, read: 0, known: 0, removed: 0 };
  const total = due.reduce((sum, { part }) => sum + (part?.gifs ?? 0), 0);
  const fetching = new Map<number, Promise<PlacedGif[]>>();
  for (const [at, { number, part }] of due.entries()) {
    for (const next of due.slice(at, at + 1 + AHEAD)) {
      if (!fetching.has(next.number)) fetching.set(next.number, fetchAhead(options, next, manifest.bits));
    }
    const gifs = await fetching.get(number)!;
    fetching.delete(number);
    signal.throwIfAborted();
    const { known, removed } = await inTransaction(db, (trx) =>
      takePart(trx, url, { number, part, gifs, bits: manifest.bits }),
    );
    result.parts++;
    result.bytes += part?.bytes ?? 0;
    result.read += gifs.length;
    result.known += known;
    result.removed += removed;
    onProgress(result.read, total);
  }
  return result;
}

interface DuePart {
  number: number;
  /** Null if the part has no GIFs any more. */
  part: Part | null;
}

function fetchAhead(remote: Remote, { number, part }: DuePart, bits: number): Promise<PlacedGif[]> {
  const fetched = part === null ? Promise.resolve([]) : fetchPart(remote, part, { number, bits });
  fetched.catch(() => {}); // the error is reported when the part is processed
  return fetched;
}

/**
 * Accepts a manifest if its key is the pinned key and its generation is not older than the last accepted one.
 * @throws OperatorError
 */
async function acceptManifest({ db, url }: ReadOptions, signed: SignedManifest): Promise<SignedManifest> {
  const { pubkey, id, manifest } = signed;
  return inTransaction(db, async (trx) => {
    const row = await tables(trx).selectFrom('catalogues').selectAll().where('url', '=', url).executeTakeFirst();
    if (row === undefined) throw new OperatorError(`${url}: this catalogue is not followed any more`);
    if (row.pubkey !== null && row.pubkey !== pubkey) {
      throw new OperatorError(
        `${url}: the manifest is signed by another key: ${shownKey(pubkey)} instead of ${shownKey(row.pubkey)}. If the operator confirms the new key, run zoetrope catalogue remove ${url}, and add it again`,
      );
    }
    if (manifest.generation < row.generation) {
      throw new OperatorError(
        `${url}: the manifest is older than one that was read before: generation ${manifest.generation} after ${row.generation}`,
      );
    }
    if (manifest.generation === row.generation && id !== row.manifest) {
      throw new OperatorError(`${url}: there are two manifests of generation ${manifest.generation}`);
    }
    const { generation, bits, gifs } = manifest;
    await tables(trx)
      .updateTable('catalogues')
      .set({ pubkey, manifest: id, generation, bits, gifs })
      .where('url', '=', url)
      .execute();
    if (bits !== row.bits) await tables(trx).deleteFrom('catalogueParts').where('catalogue', '=', url).execute();
    return signed;
  });
}

/** Returns the parts that differ from what was read. */
async function changedParts(db: Database, url: string, { parts, bits }: Manifest): Promise<DuePart[]> {
  const rows = await tables(db).selectFrom('catalogueParts').selectAll().where('catalogue', '=', url).execute();
  const read = new Map(rows.map(({ part, sha256 }) => [part, sha256]));
  const members = await tables(db)
    .selectFrom('catalogueGifs')
    .select('place')
    .distinct()
    .where('catalogue', '=', url)
    .execute();
  const filled = new Set(members.map(({ place }) => partAt(place, bits)));
  return parts.flatMap((part, number) => {
    const isRead = part === null ? !filled.has(number) : read.get(number) === part.sha256;
    return isRead ? [] : [{ number, part }];
  });
}

interface ReadPart extends DuePart {
  gifs: readonly PlacedGif[];
  bits: number;
}

/** Records the GIFs of a part, and withdraws GIFs that the part no longer contains. */
async function takePart(
  trx: Database,
  url: string,
  { number, part, gifs, bits }: ReadPart,
): Promise<{ known: number; removed: number }> {
  const width = 2 ** (PLACE_BITS - bits);
  const before = await tables(trx)
    .selectFrom('catalogueGifs')
    .select('gif')
    .where('catalogue', '=', url)
    .where('place', '>=', number * width)
    .where('place', '<', (number + 1) * width)
    .execute();
  const ids = new Set(gifs.map(({ gif }) => gif.id));
  const gone = before.flatMap(({ gif }) => (ids.has(gif) ? [] : [gif]));
  const known = await takeGifs(trx, url, gifs);
  const removed = await withdraw(trx, url, gone);
  const had = new Set(before.map(({ gif }) => gif));
  for (const some of chunks(gifs.filter(({ gif }) => !had.has(gif.id)))) {
    const rows = some.map(({ gif, place }) => ({ catalogue: url, gif: gif.id, place }));
    await tables(trx).insertInto('catalogueGifs').values(rows).execute();
  }
  await tables(trx).deleteFrom('catalogueParts').where('catalogue', '=', url).where('part', '=', number).execute();
  if (part !== null) {
    await tables(trx)
      .insertInto('catalogueParts')
      .values({ catalogue: url, part: number, sha256: part.sha256 })
      .execute();
  }
  return { known, removed };
}

/**
 * Records the GIFs that this service does not have from another source. @returns the number of GIFs that it already had
 */
async function takeGifs(trx: Database, url: string, gifs: readonly PlacedGif[]): Promise<number> {
  let known = 0;
  for (const some of chunks(gifs)) {
    const others = await toldElsewhere(
      trx,
      tellerOf(url),
      some.map(({ gif }) => gif.id),
    );
    const taken = some.flatMap(({ gif }) => (others.has(gif.id) ? [] : [gif]));
    known += some.length - taken.length;
    await recordGifs(trx, taken);
    await hideKnownBlocked(trx, taken);
  }
  return known;
}

/** Hides the GIFs whose hash is on the block list of this service. */
async function hideKnownBlocked(trx: Database, gifs: readonly { id: string; sha256: string | null }[]): Promise<void> {
  const blocked: string[] = [];
  for (const { id, sha256 } of gifs) if (await isBlockedByHash(trx, sha256)) blocked.push(await currentId(trx, id));
  if (blocked.length > 0) await hideBlocked(trx, blocked);
}

/** Withdraws GIFs, unless this service also has them from another source. @returns the number of withdrawn GIFs */
async function withdraw(trx: Database, url: string, gone: readonly string[]): Promise<number> {
  let removed = 0;
  for (const some of chunks(gone)) {
    await tables(trx).deleteFrom('catalogueGifs').where('catalogue', '=', url).where('gif', 'in', some).execute();
    await readAgain(trx, some);
    removed += await withdrawGifs(trx, tellerOf(url), some);
  }
  return removed;
}

/**
 * Lets the parts of other catalogues with these GIFs be read again. Until now, these GIFs were skipped there, because
 * the service had them from this catalogue.
 */
async function readAgain(trx: Database, gifs: readonly string[]): Promise<void> {
  const others = await tables(trx)
    .selectFrom('catalogueGifs')
    .innerJoin('catalogues', 'catalogues.url', 'catalogueGifs.catalogue')
    .select(['catalogue', 'place', 'bits'])
    .where('gif', 'in', gifs)
    .execute();
  for (const { catalogue, place, bits } of others) {
    const parts = tables(trx).deleteFrom('catalogueParts').where('catalogue', '=', catalogue);
    await parts.where('part', '=', partAt(place, bits)).execute();
    await tables(trx).updateTable('catalogues').set({ checkedAt: 0 }).where('url', '=', catalogue).execute();
  }
}

/**
 * Stops following a catalogue. Its GIFs stay as they are, or are withdrawn.
 * @returns the number of withdrawn GIFs, or null if the catalogue was not followed
 */
export async function removeCatalogue(db: Database, url: string, gifs: 'keep' | 'withdraw'): Promise<number | null> {
  return inTransaction(db, async (trx) => {
    const { numDeletedRows } = await tables(trx).deleteFrom('catalogues').where('url', '=', url).executeTakeFirst();
    if (numDeletedRows === 0n) return null;
    const members = await tables(trx).selectFrom('catalogueGifs').select('gif').where('catalogue', '=', url).execute();
    const ids = members.map(({ gif }) => gif);
    const removed = gifs === 'withdraw' ? await withdraw(trx, url, ids) : 0;
    for (const table of ['catalogueParts', 'catalogueGifs'] as const) {
      await tables(trx).deleteFrom(table).where('catalogue', '=', url).execute();
    }
    await bumpRevision(trx);
    return removed;
  });
}

/** The result of checking a catalogue. */
export interface CheckResult extends Pick<SignedManifest, 'pubkey'> {
  name: string;
  generation: number;
  gifs: number;
  parts: number;
  /** Compressed size of all parts. */
  bytes: number;
}

/** Fetches and checks a whole catalogue without changing anything. @throws OperatorError that names the fault */
export async function checkCatalogue(
  remote: Remote & { onProgress(done: number, total: number): void },
): Promise<CheckResult> {
  const { pubkey, manifest } = await fetchManifest(remote).catch((error: unknown) => {
    throw error instanceof DownloadError ? nameError(remote.url, error) : error;
  });
  const { name, generation, gifs, bits, parts } = manifest;
  const result = { pubkey, name, generation, gifs, parts: 0, bytes: 0 };
  let checked = 0;
  for (const [number, part] of parts.entries()) {
    if (part === null) continue;
    checked += (await fetchPart(remote, part, { number, bits })).length;
    result.parts++;
    result.bytes += part.bytes;
    remote.onProgress(checked, gifs);
  }
  return result;
}
