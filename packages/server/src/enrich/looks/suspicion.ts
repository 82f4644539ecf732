const CLASSES = 5;
const HENTAI = 1;
const PORN = 3;

/** How likely the worst of some pictures is hentai or porn, from the five numbers a network gives for each of them. */
export function suspicionOf(probs: Float32Array): number {
  let worst = 0;
  for (let at = 0; at < probs.length; at += CLASSES) worst = Math.max(worst, probs[at + HENTAI]! + probs[at + PORN]!);
  return worst;
}
