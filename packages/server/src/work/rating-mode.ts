import { OperatorError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { checkRatingModels, type RatingMode } from '../enrich/index.ts';
import { findRating, type HeldBack } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';

export const UNRATED = 'GIFs cannot be rated; those from relays stay hidden';

/** Returns which GIFs are hidden until they are rated safe. */
export function heldBack(mode: RatingMode): HeldBack {
  return mode === 'on' ? 'all' : 'relays';
}

/** Returns whether a GIF needs a rating by the models, because no person has rated it. */
export async function isToBeRated(db: Database, mode: RatingMode, gif: GifRecord): Promise<boolean> {
  if (mode === 'off' || gif.adult || (gif.url !== null && gif.source !== 'nostr')) return false;
  return (await findRating(db, gif.id)) === undefined;
}

/** Returns the mode. If the networks are missing or damaged, logs this and returns `off`. */
export async function usableMode(mode: RatingMode, log: Log): Promise<RatingMode> {
  try {
    if (mode !== 'off') await checkRatingModels();
    return mode;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    log.warn({ err: error }, UNRATED);
    return 'off';
  }
}
