import type { FieldName } from '../postings/impact.ts';
import type { SpaceManifest, SpaceName } from '../vectors/space.ts';

/**
 * Version of the build format. Raise it after any change to the bytes, the analysis or the impacts. (Queries must be
 * analysed as the documents of the index were.)
 */
export const FORMAT_VERSION = 17;

/**
 * A build consists of one base and the deltas that followed it. Bases and deltas are segments. A segment is a manifest
 * and named sections. All numbers are little-endian. Every section starts at a multiple of 4 bytes in memory. `x[n]` is
 * n numbers of type x. A segment has T terms (F of them frequent), P postings, D documents (S of them safe), A aliases
 * and R retired documents:
 *
 *   dictionary-offsets   u32[T + 1]  where each term starts in dictionary-terms, in code units
 *   dictionary-terms     u16[…]      terms, ascending, as UTF-16 code units without separators
 *   postings-offsets     u32[T + 1]  where each term's list starts in postings
 *   postings             u32[P]      document << 8 | impact, ascending within a term (posting.ts)
 *   frequent-terms       u32[F]      numbers of the frequent terms, ascending; for this and the next four see
 *                                    ../postings/frequent.ts
 *   frequent-bitmaps     u32[F × ⌈S / 32⌉]     which safe documents have the term
 *   frequent-places      u16[F × ⌈S / 32⌉]     where the impacts of 32 documents start, counted from the base
 *   frequent-bases       u32[F × ⌈S / 65536⌉]  where the impacts of 65,536 documents start in frequent-impacts
 *   frequent-impacts     u8[…]       the impact of each bit set in frequent-bitmaps, and a 0
 *   ids-offsets          u32[D + A + 1]  where each id starts in ids-bytes
 *   ids-bytes            u8[…]       ids in ASCII without separators: of documents by their number, then aliases
 *   ids-order            u32[D + A]  numbers of ids, by ascending id
 *   alias-documents      u32[A]      the document of each alias
 *   popularity           f64[D]      the popularity of each document
 *   places               u32[S]      in a delta: how many safe documents of the base come before each safe document
 *   titles               u32[S]      the `titleKey` of each safe document
 *   retired              u32[R]      the documents of earlier segments that are replaced or removed, by their numbers in the
 *                                    build (numbering.ts), ascending
 *   stored-offsets       u32[D + 1]  where each document's bytes start in stored-bytes
 *   stored-bytes         u8[…]       opaque bytes, by document number
 *   meaning-codes        u8[V × n / 8]  if the segment has this space: the sign codes of the V safe documents with a vector
 *                                    of n dimensions, in the order of the lists (../vectors)
 *   meaning-int8         i8[V × n]   the same vectors with eight bits per dimension
 *   meaning-centroids    i8[L × n]   the direction of each list's mean
 *   meaning-lists        u32[L + 1]  where each list starts in meaning-codes, -int8 and -documents
 *   meaning-documents    u32[V]      the document of each vector
 *   meaning-rows         u32[S]      the place of each safe document's vector, 2^32 - 1 if it has none
 *   meaning-figures      u8[…]       further data about the model; empty for this space
 *   looks-…                          the same for the appearance space
 *   suggest-…                        the terms that complete queries: ../suggest/sections.ts
 *
 * A document's number in its segment is its place in the order of `compareDocuments`:
 *
 *   0 ── most popular … least popular ──┬── most popular … least popular ── D - 1
 *                 safe            safeDocuments          adult
 */
export interface SegmentManifest {
  format: number;
  /** How many document numbers the earlier segments of the build take (numbering.ts), or 0 for a base. */
  follows: number;
  documents: number;
  /** Number of former ids by which documents are found. */
  aliases: number;
  /** Number of documents of earlier segments that this segment replaces or removes. */
  retired: number;
  /** Number of the `retired` documents that are safe. */
  retiredSafe: number;
  /** The documents below this number are safe. All others are adult. */
  safeDocuments: number;
  terms: number;
  postings: number;
  frequentTerms: number;
  /**
   * Mean number of terms per field, over the documents that have the field, or 0 if no document has it. A delta has the
   * same means as its base, so that the impacts of all segments can be compared.
   */
  averageLengths: Record<FieldName, number>;
  /** The vector spaces in this segment. */
  spaces: Partial<Record<SpaceName, SpaceManifest>>;
  sections: SectionManifest[];
}

export interface SectionManifest {
  name: string;
  bytes: number;
  /** CRC-32 of the bytes, as an unsigned number. */
  checksum: number;
}

/**
 * Thrown if the bytes of a segment do not match its manifest or this version of the engine. The message names the
 * section.
 */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}
