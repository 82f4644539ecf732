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
 * Weight of a tag for a query that is exactly this tag, as a number of occurrences of a word in a tag. With a higher
 * weight, a query for a reaction finds more of the GIFs with the tag, but a query for the name of a thing finds fewer
 * GIFs: with 2, .852 and .975; with 2.5, .861 and .972; with 3, .866 and .966 (development sets of `npm run eval`,
 * 2026-11).
 */
export const WHOLE_TAG = 2.5;

/**
 * Share of its weight that a word of a title has when it occurs again. "Love love love....DENIED" is no better than "I
 * love you". With 1 (and WHOLE_TAG 3), queries for reactions found .859 instead of .861, and queries for things .968
 * instead of .972; sentences in other languages found .776 instead of .769. With 0, reactions found .868, but English
 * sentences fell from .933 to .900 (development sets of `npm run eval`, 2026-11).
 */
export const REPEATED_SHARE = 0.25;

/**
 * BM25's k1: the lower it is, the sooner repetition stops counting. 1.2 is Robertson & Zaragoza's lower value and
 * Lucene's default.
 */
const K1 = 1.2;

/**
 * Returns what one occurrence of a term in a field adds to its weighted frequency in the document (BM25F). Lengths are
 * in terms. `average` is the mean over the documents that have the field, as in Lucene. It is 0 if none has the field, but
 * a document without tags can still have the name of its series as a whole.
 */
export function occurrenceWeight(field: FieldName, length: number, average: number): number {
  return WEIGHTS[field] / (1 - B + (B * length) / (average || 1));
}

/** Returns the saturated weighted frequency, f / (k1 + f), as 8 bits: 1 to 255. */
export function impactOf(weightedFrequency: number): number {
  return Math.max(1, Math.round((255 * weightedFrequency) / (K1 + weightedFrequency)));
}
