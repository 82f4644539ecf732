const CLASSES = 5;
const HENTAI = 1;
const PORN = 3;

/** Result of a rating network for several pictures. */
export interface Suspicion {
  /** Probability that the worst picture is hentai or porn, from 0 to 1. */
  readonly worst: number;
  /**
   * Probability that the second worst picture (or the only picture) is hentai or porn. The second worst picture also
   * counts, because adult content lasts longer than a moment.
   */
  readonly lasting: number;
  /** Whether the picture looks drawn, which means that hentai is more likely than porn. */
  readonly isDrawn: boolean;
}

/** Evaluates the network's five probabilities per picture. */
export function suspicionOf(probs: Float32Array): Suspicion {
  const suspected: number[] = [];
  let [hentai, porn] = [0, 0];
  for (let at = 0; at < probs.length; at += CLASSES) {
    suspected.push(probs[at + HENTAI]! + probs[at + PORN]!);
    hentai += probs[at + HENTAI]!;
    porn += probs[at + PORN]!;
  }
  suspected.sort((a, b) => b - a);
  const [worst = 0, lasting = worst] = suspected;
  return { worst, lasting, isDrawn: hentai > porn };
}
