export const FIELDS: readonly ['title', 'tags', 'characters', 'text'] = ['title', 'tags', 'characters', 'text'];
export type FieldName = (typeof FIELDS)[number];

/**
 * Weight of a word in each field. Authors write a title so that the GIF is found. A GIF has many tags, some of which
 * are only loosely related. A caption is more often what somebody in the picture says than what the picture is about.
 * The proportions are a judgement based on the experiments that compared this index with SQLite FTS5.
 */
const WEIGHTS: Readonly<Record<FieldName, number>> = { title: 8, tags: 4, characters: 4, text: 1 };

/**
 * BM25's b: how much a longer field dilutes its words, from 0 to 1. The usual value is 0.75 (Robertson & Zaragoza, "The
 * Probabilistic Relevance Framework", 2009, §3.5). The value is lower here, because a long field has only ten words,
 * not ten pages, and because many tags usually mean a better description.
 */
const B = 0.4;

/** Share of its score that a word passes on to its base form. Exact forms come first. */
export const FORM_SHARE = 0.5;

/**
 * Weight of a tag for a query that is exactly this tag, as a number of occurrences of a word in a tag. With 3, GIFs
 * with the exact tag rank before all titles except those that repeat the word. A query for a reaction then finds .87
 * instead of .69 of the GIFs with this tag, and queries for English names of things find .01 less (development sets of
 * `npm run eval`, 2026-11).
 */
export const WHOLE_TAG = 3;

/**
 * BM25's k1: the lower it is, the sooner repetition stops counting. 1.2 is Robertson & Zaragoza's lower value and
 * Lucene's default.
 */
const K1 = 1.2;

/**
 * Returns what one occurrence of a term in a field adds to its weighted frequency in the document (BM25F). Lengths are
 * in terms. `average` is the mean over the documents that have the field, as in Lucene.
 */
export function occurrenceWeight(field: FieldName, length: number, average: number): number {
  return WEIGHTS[field] / (1 - B + (B * length) / average);
}

/** Returns the saturated weighted frequency, f / (k1 + f), as 8 bits: 1 to 255. */
export function impactOf(weightedFrequency: number): number {
  return Math.max(1, Math.round((255 * weightedFrequency) / (K1 + weightedFrequency)));
}
