export { CAPTION_PLACES, type CaptionReader, captionSize, createCaptionReader } from './captions/captions.ts';
export type { RatingMode } from './config.ts';
export {
  createLooks,
  LOOKS_PLACES,
  type Looks,
  type LooksOptions,
  pictureHashes,
  RATED_PLACES,
} from './looks/looks.ts';
export type { Suspicion } from './looks/suspicion.ts';
export { ModelError } from './process/model.ts';
export { checkRatingModels, createJudge, JUDGED_SIZE, type Judge } from './rating/rating.ts';
export { type Verdict, verdictOf } from './rating/verdict.ts';
