import { OperatorError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { RatingMode, Suspicion } from '../enrich/index.ts';
import { createJudge, JUDGED_SIZE, type Judge, ModelError, RATED_PLACES, verdictOf } from '../enrich/index.ts';
import type { OffensiveWords } from '../index/index.ts';
import type { OnProgress } from '../ingest/index.ts';
import { MediaRefusal } from '../media/index.ts';
import {
  countRatings,
  countUnrated,
  findPictureRating,
  pageOfUnrated,
  type SaidRating,
  saveRatings,
} from '../moderation/index.ts';
import { bumpShown, type GifRecord } from '../records/index.ts';
import { pictureKey } from '../vectors/index.ts';
import { wordsOf } from './build.ts';
import { isPictureHere, type Pictures, pictureOf, see } from './pictures.ts';
import { heldBack, UNRATED } from './rating-mode.ts';
import type { Workshop } from './workshop.ts';

/** Number of GIFs per step. A crash loses at most one step. */
const PAGE = 32;

export interface RatingOptions extends Pictures {
  mode: RatingMode;
  judge: Judge;
  words: OffensiveWords;
  log: Log;
  onProgress: OnProgress;
  signal: AbortSignal;
}

/** Rates GIFs that no person has rated. */
export async function rate(shop: Workshop): Promise<boolean> {
  const log = shop.service.log.child({ room: 'enrich' });
  const judge = createJudge({ log });
  try {
    return await rateGifs({ ...shop, ...shop.task, judge, log, words: await wordsOf(shop.service) });
  } finally {
    await judge.close();
  }
}

/**
 * Rates GIFs without a rating. GIFs from relays come first, because they are hidden until they are rated. Can be
 * interrupted and resumed. If the rating models cannot be loaded, nothing is rated.
 * @returns whether anything shown has changed
 */
export async function rateGifs(options: RatingOptions): Promise<boolean> {
  const { db, mode, log, signal } = options;
  if (mode === 'off') return false;
  const total = await countUnrated(db);
  await countRatings(db);
  if (total === 0) return false;
  const counted = { done: 0, total, changed: false };
  try {
    for (const whose of ['relays', 'others'] as const) await ratePages(whose, counted, options);
  } catch (error) {
    if (signal.aborted || !(error instanceof OperatorError)) throw error;
    log.warn({ err: error }, UNRATED);
  }
  await countRatings(db);
  if (counted.changed) await bumpShown(db);
  return counted.changed;
}

interface Counted {
  done: number;
  total: number;
  changed: boolean;
}

async function ratePages(whose: 'relays' | 'others', counted: Counted, options: RatingOptions): Promise<void> {
  const { db, mode, seen, onProgress, signal } = options;
  const isHeld = whose === 'relays' || heldBack(mode) === 'all';
  let page = await pageOfUnrated(db, whose, { after: '', limit: PAGE });
  while (page.length > 0) {
    const said: ({ id: string } & SaidRating)[] = [];
    for (const gif of page) {
      signal.throwIfAborted();
      const rating = isPictureHere(gif, seen) ? await ratingOf(gif, options) : undefined;
      if (rating !== undefined) said.push({ id: gif.id, rating, saidBy: 'model' });
      onProgress({ phase: 'rating', done: ++counted.done, total: counted.total });
    }
    await saveRatings(db, said);
    counted.changed ||= said.some(({ rating }) => (isHeld ? rating === 'safe' : rating === 'adult'));
    page = await pageOfUnrated(db, whose, { after: page.at(-1)!.id, limit: PAGE });
  }
}

/**
 * Rates a GIF by its picture. If its title consists only of offensive words, an operator must decide.
 * @returns undefined if the GIF should be tried again, or `unrated` if the picture cannot be read
 */
async function ratingOf(gif: GifRecord, options: RatingOptions): Promise<SaidRating['rating'] | undefined> {
  try {
    const first = await firstOpinion(gif, options);
    if (first === undefined) return undefined;
    const rating = await verdictOf(first, () => secondOpinion(gif, options));
    return rating === 'safe' && options.words.isAllOf(gif.title) ? 'review' : rating;
  } catch (error) {
    if (error instanceof MediaRefusal) return 'unrated';
    if (!(error instanceof ModelError)) throw error;
    options.log.warn({ err: error, gif: gif.id }, 'could not rate a GIF; the next start will try again');
    return undefined;
  }
}

/** Returns the first network's result. Usually, the result was stored when the picture was described. */
async function firstOpinion(gif: GifRecord, options: RatingOptions): Promise<number | undefined> {
  const sight = await findPictureRating(options.db, pictureKey(gif));
  return sight?.suspicion ?? (await see(gif, options))?.suspicion;
}

async function secondOpinion(gif: GifRecord, { judge, media, blobs }: RatingOptions): Promise<Suspicion> {
  const bytes = await pictureOf(gif, blobs);
  if (bytes === null) throw new ModelError('its picture no longer exists');
  return judge.suspect(await media.frames(bytes, RATED_PLACES, JUDGED_SIZE));
}
