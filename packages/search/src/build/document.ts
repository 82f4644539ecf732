import type { SpaceName } from '../vectors/space.ts';

/** What the engine is told of one GIF. Text fields are raw: analysis is the engine's own work. */
export interface IndexDocument {
  /** The public id, in ASCII; unique within a build. */
  id: string;
  /** Further ids it is found by: those it had before. In ASCII; no document or other alias has the same. */
  aliases?: readonly string[];
  title: string;
  tags: readonly string[];
  /** Names of the characters or persons shown. */
  characters: readonly string[];
  /** Names of the shows or films it is taken from. */
  series: readonly string[];
  /** The caption written in the picture. */
  text: string;
  /** Adult documents are kept in the build and never found by a search. */
  adult: boolean;
  /** At least 0, in any unit; only its order counts, where two documents score the same. */
  popularity: number;
  /** Vectors of the spaces the build has, as `quantise` gives them; a document need not have one. */
  vectors?: Partial<Record<SpaceName, Int8Array>>;
  /** Opaque bytes, given back as they are by `Build.stored`. */
  stored: Uint8Array;
}

/**
 * The order of documents in a build, and so of their numbers: safe before adult, then popular first, then by id
 * (UTF-16 code units). Negative when `a` comes first, 0 only when they are equal in all three.
 */
export function compareDocuments(a: DocumentOrder, b: DocumentOrder): number {
  if (a.adult !== b.adult) return a.adult ? 1 : -1;
  if (a.popularity !== b.popularity) return b.popularity - a.popularity;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

export type DocumentOrder = Pick<IndexDocument, 'adult' | 'popularity' | 'id'>;
