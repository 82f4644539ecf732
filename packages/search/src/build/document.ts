import type { SpaceName } from '../vectors/space.ts';

/** The facts about a GIF that the engine needs. The engine itself analyses the text fields. */
export interface IndexDocument {
  /** The public id, in ASCII. It is unique within a build. */
  id: string;
  /**
   * Former ids, by which the document can also be found. Former ids are in ASCII, and unique among all ids and aliases.
   */
  aliases?: readonly string[];
  title: string;
  /** Name of the document's source. Equal titles of one source are spread over a result list (`spreadTitles`). */
  source?: string;
  tags: readonly string[];
  /** Names of the characters or people shown. */
  characters: readonly string[];
  /** Names of the shows or films that the GIF is taken from. */
  series: readonly string[];
  /** The caption that is visible in the picture. */
  text: string;
  /** Adult documents are stored in the build but never found by a search. */
  adult: boolean;
  /** At least 0, in any unit. The popularity orders documents with equal scores. */
  popularity: number;
  /** The document's vectors in the build's spaces, from `quantise`. A document can lack any of the vectors. */
  vectors?: Partial<Record<SpaceName, Int8Array>>;
  /** Opaque bytes, returned unchanged by `Build.stored`. */
  stored: Uint8Array;
}

/**
 * Compares two documents by their order in a build, which is also the order of their numbers: safe documents before
 * adult ones, then the most popular first, then by id (UTF-16 code units). Returns a negative number if `a` comes
 * first, a positive one if `b` comes first, and 0 if all three values are equal.
 */
export function compareDocuments(a: DocumentOrder, b: DocumentOrder): number {
  if (a.adult !== b.adult) return a.adult ? 1 : -1;
  if (a.popularity !== b.popularity) return b.popularity - a.popularity;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

export type DocumentOrder = Pick<IndexDocument, 'adult' | 'popularity' | 'id'>;
