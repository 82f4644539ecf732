import { countGifs, pageOfGifs, visibleGifs } from '../catalog/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { bumpShown, changedSince, type GifRecord, noteChanged, revision } from '../records/index.ts';
import {
  areVectorsComplete,
  findVectors,
  saveVectors,
  setVectorsComplete,
  vectorsMadeThrough,
} from '../vectors/index.ts';
import type { OnProgress, Progress } from './progress.ts';

/** Number of GIFs that are read together. */
const PAGE = 512;

/** Makes the vectors of one space. */
export interface SpaceFiller {
  space: 'meaning' | 'looks' | 'captions';
  /** Name of the model. Vectors from another model do not count. */
  model: string;
  /** Number of GIFs per step. A crash loses at most one step. */
  step: number;
  /**
   * Reads the data that `sourceOf` needs. This function runs after the revision has been read, so that later changes
   * are handled in the next run.
   */
  begin?(): Promise<void>;
  /**
   * Returns a string that identifies the input of a GIF's vector by its content. Returns undefined if there is no
   * input.
   */
  sourceOf(gif: GifRecord): string | undefined;
  /**
   * Returns vectors as bytes, in order. A vector is empty if it can never be made for the GIF, and undefined if the GIF
   * should be tried again.
   */
  describe(gifs: readonly GifRecord[], signal: AbortSignal): Promise<(Uint8Array | undefined)[]>;
}

export interface FillOptions {
  db: Database;
  onProgress: OnProgress;
  signal: AbortSignal;
}

/**
 * Makes the missing vectors page by page, so that the work can be interrupted and resumed.
 * @returns the number of vectors that were made
 */
export async function fillSpace(filler: SpaceFiller, { db, onProgress, signal }: FillOptions): Promise<number> {
  if (await areVectorsComplete(db, filler.space, filler.model)) return 0;
  const seen = await revision(db);
  await filler.begin?.();
  const through = await vectorsMadeThrough(db, filler.space, filler.model);
  const changed = through === undefined ? undefined : await changedSince(db, through);
  const total = changed?.length ?? (await countGifs(db));
  const phase: Progress['phase'] = filler.space;
  const pages = () => (changed === undefined ? pagesOfAll(db) : pagesOf(db, changed));
  await noteMissing(db, filler, pages());
  let done = 0;
  let made = 0;
  for await (const page of pages()) {
    signal.throwIfAborted();
    const missing = [...(await withoutVector(db, filler, page))];
    done += page.length - missing.length;
    for (let from = 0; from < missing.length; from += filler.step) {
      const step = missing.slice(from, from + filler.step);
      made += await describe(step, filler, { db, signal });
      done += step.length;
      onProgress({ phase, done, total });
    }
    if (missing.length === 0) onProgress({ phase, done, total });
  }
  await inTransaction(db, async (trx) => {
    await setVectorsComplete(trx, filler.space, filler.model, seen);
    // The vectors and this request for a build are saved in the same transaction. Otherwise, a process that is killed
    // between two transactions would leave vectors that are in no build.
    if (made > 0) await bumpShown(trx);
  });
  return made;
}

/**
 * Records all GIFs without a vector as changed, before any vector is made. Several GIFs can share a vector. If the
 * changes were recorded later and the process was killed after it had made a shared vector, the other GIFs would not be
 * recorded.
 */
async function noteMissing(db: Database, filler: SpaceFiller, pages: AsyncIterable<GifRecord[]>): Promise<void> {
  for await (const page of pages) {
    const missing = await withoutVector(db, filler, page);
    const changing = page.filter((gif) => missing.has(filler.sourceOf(gif) ?? ''));
    await noteChanged(
      db,
      changing.map(({ id }) => id),
    );
  }
}

async function* pagesOfAll(db: Database): AsyncGenerator<GifRecord[]> {
  let page = await pageOfGifs(db, '', PAGE);
  while (page.length > 0) {
    yield page;
    page = await pageOfGifs(db, page.at(-1)!.id, PAGE);
  }
}

async function* pagesOf(db: Database, ids: readonly string[]): AsyncGenerator<GifRecord[]> {
  for (let from = 0; from < ids.length; from += PAGE) yield visibleGifs(db, ids.slice(from, from + PAGE));
}

/** @returns the number of vectors that were made */
async function describe(
  gifs: readonly [source: string, GifRecord][],
  filler: SpaceFiller,
  { db, signal }: Pick<FillOptions, 'db' | 'signal'>,
): Promise<number> {
  signal.throwIfAborted();
  const vectors = await filler.describe(
    gifs.map(([, gif]) => gif),
    signal,
  );
  const rows = gifs.flatMap(([source], i) => {
    const vector = vectors[i];
    return vector === undefined ? [] : [{ source, vector }];
  });
  await saveVectors(db, filler.model, rows);
  return rows.length;
}

/** Returns one safe GIF for each input that has no vector yet. */
async function withoutVector(
  db: Database,
  { model, sourceOf }: SpaceFiller,
  page: readonly GifRecord[],
): Promise<Map<string, GifRecord>> {
  const bySource = new Map<string, GifRecord>();
  for (const gif of page) {
    const source = gif.adult ? undefined : sourceOf(gif);
    if (source !== undefined) bySource.set(source, gif);
  }
  const known = await findVectors(db, model, [...bySource.keys()]);
  for (const source of known.keys()) bySource.delete(source);
  return bySource;
}
