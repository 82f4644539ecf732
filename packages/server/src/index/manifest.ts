import type { BuildManifest } from '@zoetrope/search';

/** The content of a build's `manifest.json`: the engine's part, and the state of the catalogue that the build was made from. */
export interface PublishedManifest {
  /** Derived from the content, so the same catalogue gives the same build. */
  build: string;
  /** Revision of the catalogue in this build. */
  revision: number;
  /** The policy that decides which GIFs are shown, as a string for comparison (see `ShownPolicy`). */
  policy: string;
  engine: BuildManifest;
}
