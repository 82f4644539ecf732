const CLASSES = 5;
const HENTAI = 1;
const PORN = 3;

/** What a network suspects of several pictures. */
export interface Suspicion {
  /** How likely the worst picture is hentai or porn, from 0 to 1. */
  readonly worst: number;
  /** How likely the second worst is, which stands for more than a moment; of one picture alone, that one. */
  readonly lasting: number;
  /** Whether what is suspected looks drawn: hentai outweighs porn. */
  readonly isDrawn: boolean;
}

/** What is suspected, from the five numbers that a network gives for each picture. */
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
