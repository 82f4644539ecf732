import type { SegmentManifest } from '@zoetrope/search';

/**
 * The content of a segment's `manifest.json`: the engine's part, and the state of the catalogue that it was made from. A build
 * is named by its latest segment.
 */
export interface PublishedManifest {
  /** Derived from the content, so the same catalogue gives the same build. */
  build: string;
  /** The names of the segments before this one, the base first; empty for a base. */
  earlier: string[];
  /** Revision of the catalogue in this build. */
  revision: number;
  /** The policy that decides which GIFs are shown, as a string for comparison (see `ShownPolicy`). */
  policy: string;
  /** Number of GIFs that the build shows. */
  gifs: number;
  engine: SegmentManifest;
}
