import type { CatalogueGif } from '@zoetrope/contract/account';
import { say } from '../words/operators.ts';

/** Returns everything that keeps a GIF from being shown, in words. Empty if nothing does. */
export function hindrancesOf({ hiddenBecause, waiting, rating, ratedBy, markedAdult }: CatalogueGif): string[] {
  return [
    ...hiddenBecause.map((reason) => say(`hidden_${reason}`)),
    ...(waiting ? [say('notLookedAt')] : []),
    ...hindrancesOfRating({ rating, ratedBy, markedAdult }),
  ];
}

function hindrancesOfRating({
  rating,
  ratedBy,
  markedAdult,
}: Pick<CatalogueGif, 'rating' | 'ratedBy' | 'markedAdult'>): string[] {
  if (ratedBy === 'operator') return rating === 'adult' ? [say('ratedAdultByOperator')] : [];
  if (markedAdult) return [say('markedAdult')];
  if (rating === 'adult') return [ratedBy === 'model' ? say('ratedAdultByModel') : say('ratedAdultBySource')];
  if (rating === 'review') return [say('modelsUnsure')];
  return rating === 'unrated' ? [say('cannotRate')] : [];
}

/** Whether a picture must be blurred until somebody asks for it. */
export function isDelicate({ rating, markedAdult }: Pick<CatalogueGif, 'rating' | 'markedAdult'>): boolean {
  return rating === 'adult' || rating === 'review' || (markedAdult && rating !== 'safe');
}

/** Whether a text is an id, a URL or a hash rather than words. */
export function namesOneGif(text: string): boolean {
  return /^(https?:\/\/\S+|[0-9a-f]{64}(\.(gif|webp))?|\S+\.(gif|webp))$/i.test(text.trim());
}

/** Returns the name of a rating. */
export function nameOfRating(rating: string): string {
  const names: Readonly<Record<string, () => string>> = {
    safe: () => say('rating_safe'),
    adult: () => say('rating_adult'),
    review: () => say('rating_review'),
    unrated: () => say('rating_unrated'),
  };
  return names[rating]?.() ?? rating;
}

/** Returns the name of who has rated a GIF. */
export function nameOfRater(ratedBy: string): string {
  const names: Readonly<Record<string, () => string>> = {
    model: () => say('rater_model'),
    declared: () => say('rater_declared'),
    operator: () => say('rater_operator'),
  };
  return names[ratedBy]?.() ?? ratedBy;
}
