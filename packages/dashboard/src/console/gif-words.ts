import type { CatalogueGif } from '@zoetrope/contract/account';

const HIDDEN: Readonly<Record<CatalogueGif['hiddenBecause'][number], string>> = {
  operator: 'hidden by an operator',
  dead: 'hidden, because its link is dead',
  blocked: 'hidden, because it is on the block list',
  withdrawn: 'hidden, because its authors deleted it',
};

/** Returns everything that keeps a GIF from being shown, in words. Empty if nothing does. */
export function hindrancesOf({ hiddenBecause, waiting, rating, ratedBy, markedAdult }: CatalogueGif): string[] {
  return [
    ...hiddenBecause.map((reason) => HIDDEN[reason]),
    ...(waiting ? ['its file has not been looked at yet'] : []),
    ...hindrancesOfRating({ rating, ratedBy, markedAdult }),
  ];
}

function hindrancesOfRating({
  rating,
  ratedBy,
  markedAdult,
}: Pick<CatalogueGif, 'rating' | 'ratedBy' | 'markedAdult'>): string[] {
  if (ratedBy === 'operator') return rating === 'adult' ? ['rated adult by an operator'] : [];
  if (markedAdult) return ['marked as adult by its source'];
  if (rating === 'adult') return [`rated adult by ${ratedBy === 'model' ? 'the models' : 'its source'}`];
  if (rating === 'review') return ['the models are not sure whether it is adult'];
  return rating === 'unrated' ? ['its picture cannot be rated'] : [];
}

/** Whether a picture must be blurred until somebody asks for it. */
export function isDelicate({ rating, markedAdult }: Pick<CatalogueGif, 'rating' | 'markedAdult'>): boolean {
  return rating === 'adult' || rating === 'review' || (markedAdult && rating !== 'safe');
}

/** Whether a text is an id, a URL or a hash rather than words. */
export function namesOneGif(text: string): boolean {
  return /^(https?:\/\/\S+|[0-9a-f]{64}(\.(gif|webp))?|\S+\.(gif|webp))$/i.test(text.trim());
}
