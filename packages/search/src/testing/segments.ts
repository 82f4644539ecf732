import type { Build } from '../build/build.ts';
import type { EarlierSegment } from '../build/earlier.ts';
import { allocateVectors, spaceBytes } from '../vectors/memory.ts';
import { VectorSearcher } from '../vectors/searcher.ts';
import { SegmentedVectors } from '../vectors/segmented.ts';
import type { SpaceManifest } from '../vectors/space.ts';

/** The meaning space of a build; undefined if no segment has one. */
export function openVectors(build: Build, segments: readonly EarlierSegment[]): SegmentedVectors | undefined {
  const spaces = segments.map(({ manifest }) => manifest.spaces.meaning);
  const known = spaces.find((space) => space !== undefined);
  if (known === undefined) return undefined;
  const searchers = segments.map((segment, i) => spaces[i] && openSearcher(segment, spaces[i]));
  return new SegmentedVectors(build, searchers, known.dimensions);
}

function openSearcher({ manifest, sections }: EarlierSegment, space: SpaceManifest): VectorSearcher {
  const memory = allocateVectors({ ...space, documents: manifest.safeDocuments, threads: 1 });
  for (const [part, bytes] of Object.entries(spaceBytes(memory))) bytes.set(sections.get(`meaning-${part}`)!);
  return new VectorSearcher(memory, 0);
}
