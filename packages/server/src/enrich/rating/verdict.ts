/** From here on the first network is not believed alone. */
const DOUBTFUL = 0.2;
/** From here on a network says that it is adult. */
const HIGH = 0.5;

/** What two networks make of a GIF; review: they do not agree, or neither is sure, and a person has to look. */
export type Verdict = 'safe' | 'review' | 'adult';

/**
 * The rating by the suspicions of the first network and, where that is asked, of the second one. 3.6 % of harmless
 * pictures alarmed the first and none of 337 the second, so one alone never says adult, nor clears what the other is sure
 * of.
 */
export async function verdictOf(first: number, second: () => Promise<number>): Promise<Verdict> {
  if (first <= DOUBTFUL) return 'safe';
  const other = await second();
  if (first > HIGH && other > HIGH) return 'adult';
  return first <= HIGH && other <= DOUBTFUL ? 'safe' : 'review';
}
