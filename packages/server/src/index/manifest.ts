import type { BuildManifest } from '@zoetrope/search';

/** What `manifest.json` of a build says: the engine's own part, and which moment of the catalogue it shows. */
export interface PublishedManifest {
  /** Derived from the content: the same catalogue gives the same build. */
  build: string;
  /** Revision of the catalogue this build shows. */
  revision: number;
  /** What of the catalogue it shows, as text to be compared; see `ShownPolicy`. */
  policy: string;
  engine: BuildManifest;
}
