import { OperatorError } from '../base/errors.ts';
import { fillSpace, type SpaceFiller } from '../ingest/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import { areVectorsComplete, findVectors } from '../vectors/index.ts';
import type { Workshop } from './workshop.ts';

/** Stored instead of a vector if no vector can be made, so that the GIF is not tried again. */
export const NOTHING = new Uint8Array();

/**
 * Makes missing vectors. If this fails, searches work without these vectors, and the next start tries again.
 * @returns whether there are new vectors
 */
export async function fill({ service, task }: Workshop, filler: SpaceFiller): Promise<boolean> {
  const { log, store } = service;
  try {
    return (await fillSpace(filler, { db: store.db, ...task })) > 0;
  } catch (error) {
    if (task.signal.aborted || error instanceof OperatorError) throw error;
    log.warn({ err: error, space: filler.space }, 'could not make vectors; the next start will try again');
    return false;
  }
}

/** Returns whether all GIFs have their vector. */
export function isFilled({ db }: Pick<Workshop, 'db'>, { space, model }: SpaceFiller): Promise<boolean> {
  return areVectorsComplete(db, space, model);
}

/** Returns the stored vectors of these GIFs, in order. */
export async function knownVectors(
  db: Database,
  model: string,
  gifs: readonly GifRecord[],
  sourceOf: SpaceFiller['sourceOf'],
): Promise<(Uint8Array | undefined)[]> {
  const sources = gifs.map(sourceOf);
  const known = await findVectors(
    db,
    model,
    sources.filter((source) => source !== undefined),
  );
  return sources.map((source) => (source === undefined ? undefined : known.get(source)));
}
