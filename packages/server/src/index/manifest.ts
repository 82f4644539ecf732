import type { BuildManifest } from '@zoetrope/search';

/** Content of a build's `manifest.json`: the engine's part, and which state of the catalogue it has. */
export interface PublishedManifest {
  /** Derived from the content, so the same catalogue gives the same build. */
  build: string;
  /** Revision of the catalogue in this build. */
  revision: number;
  /** The policy for what is shown, as text for comparison (see `ShownPolicy`). */
  policy: string;
  engine: BuildManifest;
}
