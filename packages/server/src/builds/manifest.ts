import type { SegmentManifest } from '@zoetrope/search';

/**
 * The content of a segment's `manifest.json`. It consists of the engine's manifest and the state of the catalogue from
 * which the segment was made. The name of a build is the name of its latest segment.
 */
export interface PublishedManifest {
  /** Name of the build. The name is derived from the content, so the same catalogue gives the same name. */
  build: string;
  /** The names of the segments before this segment, the base first. Empty for a base. */
  earlier: string[];
  /** Revision of the catalogue in this build. */
  revision: number;
  /** The policy that decides which GIFs are shown, as a string for comparison (see `ShownPolicy`). */
  policy: string;
  /** Number of GIFs that the build shows. */
  gifs: number;
  engine: SegmentManifest;
}
