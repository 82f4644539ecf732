import type { Vectors } from '../vectors/vectors.ts';

/**
 * Minimum cosine of appearance at which two GIFs look alike, unless many others look alike too (`leastAlike`). GIFs that
 * look alike come first, most similar first. Of 600 cropped, captioned, recompressed and mirrored copies, 96 % have at
 * least this cosine with their original (2026-11).
 */
const ALIKE = 0.65;

/**
 * Weight of the subject relative to appearance, for GIFs that do not look alike. For each GIF of the starter catalogue,
 * an evaluation counted how many of the first 12 results share a tag with the GIF. As a share of the highest possible
 * number, the result was .508 with a weight of 2, .556 with 3, and .577 with 4; by subject alone it is about .60 (the
 * measure of `npm run eval:similar`, 2026-11).
 */
const SUBJECT_WEIGHT = 3;

/** Minimum cosine of near copies, whatever else looks like the GIF. */
const COPY = 0.9;

/**
 * In a catalogue of artwork in one style, many pictures look alike. There, copies are the pictures that are much nearer
 * than the tenth nearest picture, or than the next picture.
 */
const CROWD = 10;
const ABOVE_CROWD = 0.25;
const ABOVE_NEXT = 0.1;

/** The spaces of a build, open for searching: the appearance of GIFs, and the meaning of their texts. */
export interface SimilarSpaces {
  looks: Vectors | undefined;
  meaning: Vectors | undefined;
}

export interface SimilarOptions {
  /** Maximum number of documents, at most 199. */
  limit: number;
  /** A bit for each document. The bit of document d is in byte d >> 3 at 1 << (d & 7). A set bit hides the document. */
  hidden?: Uint8Array | undefined;
}

/** Returns the minimum cosine at which documents look alike. @param scores cosines of the nearest documents, descending */
function leastAlike(scores: Float64Array): number {
  // The first of these is the GIF itself.
  const near = scores.subarray(1, CROWD);
  const standsOut = near.findLast((score, i) => score - (scores[i + 2] ?? -1) >= ABOVE_NEXT) ?? 1;
  const crowd = scores[CROWD] ?? -1;
  return Math.min(COPY, Math.max(ALIKE, Math.min(standsOut, crowd + ABOVE_CROWD)));
}

/**
 * Returns the documents most similar to a given one, without that document. Documents that look alike come first, most
 * similar first. All other documents are ranked by appearance and subject together, because a picture that looks only a
 * little like a cup of coffee is a worse result than another cup of coffee. A document without a descriptor of its
 * appearance is compared only by its text. A document without a text is compared only by its appearance.
 */
export function findSimilar(
  { looks, meaning }: SimilarSpaces,
  document: number,
  { limit, ...options }: SimilarOptions,
): Uint32Array {
  const near = looks?.searchLike(document, options);
  const least = near === undefined ? 0 : leastAlike(near.scores);
  const alike = near?.documents.filter((_, i) => near.scores[i]! >= least) ?? new Uint32Array();
  const related = meaning?.searchLike(document, options).documents ?? new Uint32Array();
  const others = Uint32Array.from(new Set([...(near?.documents ?? []), ...related])).filter(
    (other) => !alike.includes(other),
  );
  const looksScores = looks?.scoreLike(document, others);
  const subjectScores = meaning?.scoreLike(document, others);
  const scores = new Float64Array(others.length).map(
    (_, i) => (looksScores?.[i] ?? 0) + SUBJECT_WEIGHT * (subjectScores?.[i] ?? 0),
  );
  const order = new Uint16Array(others.length).map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
  const all = [...alike, ...Array.from(order, (i) => others[i]!)];
  return Uint32Array.from(all.filter((other) => other !== document).slice(0, limit));
}
