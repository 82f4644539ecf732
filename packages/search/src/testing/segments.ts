import type { Build } from '../build/build.ts';
import type { EarlierSegment } from '../build/earlier.ts';
import { allocateVectors, spaceBytes, type VectorMemory } from '../vectors/memory.ts';
import { SegmentedVectors } from '../vectors/segmented.ts';
import type { SpaceManifest } from '../vectors/space.ts';

/** Returns the meaning space of a build, or undefined if no segment has one. */
export function openVectors(build: Build, segments: readonly EarlierSegment[]): SegmentedVectors | undefined {
  const spaces = segments.map(({ manifest }) => manifest.spaces.meaning);
  if (spaces.every((space) => space === undefined)) return undefined;
  const memories = segments.map((segment, i) => spaces[i] && memoryOf(segment, spaces[i]));
  return new SegmentedVectors(build, memories, 0);
}

function memoryOf({ manifest, sections }: EarlierSegment, space: SpaceManifest): VectorMemory {
  const memory = allocateVectors({ ...space, documents: manifest.safeDocuments, threads: 1 });
  for (const [part, bytes] of Object.entries(spaceBytes(memory))) bytes.set(sections.get(`meaning-${part}`)!);
  return memory;
}
