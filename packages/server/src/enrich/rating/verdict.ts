import type { Suspicion } from '../looks/suspicion.ts';

/** From here on the first network is not believed alone. */
const DOUBTFUL = 0.2;
/** From here on a network says that it is adult. */
const HIGH = 0.5;
/** The same of drawings: the networks take bare arms and round shapes of cartoons for what they are not. */
const HIGH_OF_DRAWINGS = 0.85;

/** What two networks make of a GIF; review: they do not agree, or neither is sure, and a person has to look. */
export type Verdict = 'safe' | 'review' | 'adult';

/**
 * The rating by the suspicions of the first network and, where that is asked, of the second one. 3.6 % of harmless
 * pictures alarmed the first and none of 337 the second, so one alone never says adult, nor clears what the other is sure
 * of. One frame is not enough for that either: what is adult is so for longer than a moment.
 */
export async function verdictOf(first: number, second: () => Promise<Suspicion>): Promise<Verdict> {
  if (first <= DOUBTFUL) return 'safe';
  const other = await second();
  const high = other.isDrawn ? HIGH_OF_DRAWINGS : HIGH;
  if (first > HIGH && other.lasting > high) return 'adult';
  return first <= HIGH && other.worst <= DOUBTFUL ? 'safe' : 'review';
}
