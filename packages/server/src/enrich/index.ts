export { CAPTION_PLACES, type CaptionReader, captionSize, createCaptionReader } from './captions.ts';
export { EnrichConfig, type RatingMode } from './config.ts';
export type { Suspicion } from './looks/suspicion.ts';
export { createLooks, LOOKS_PLACES, type Looks, type LooksOptions, pictureHashes, RATED_PLACES } from './looks.ts';
export { ModelError } from './process/model.ts';
export { type Verdict, verdictOf } from './rating/verdict.ts';
export { checkRatingModels, createJudge, JUDGED_SIZE, type Judge } from './rating.ts';
