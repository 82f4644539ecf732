/**
 * The bundled encoder was made for sentences. For single words, such as *lgbtq*, *gale* and *screenplay*, the titles with
 * the highest similarities (up to .65) had nothing to do with the word on all 14 pages that we looked at. From .7 on, it
 * changed pages of logged searches only for the better (2026-11-29).
 */
const OF_SENTENCES = { model: /^use-lite-en@/, floor: 0.7 };

/** Returns the minimum similarity to a query of one word, see `MeaningLeg`. @param model id of the vector space */
export function wordFloorOf(model: string): number {
  return OF_SENTENCES.model.test(model) ? OF_SENTENCES.floor : 0;
}
