import { Build } from './build.ts';
import { checksum } from './checksum.ts';
import { BuildError, FORMAT_VERSION, type SectionManifest, type SegmentManifest } from './manifest.ts';
import { type ReadSection, type Sections, SectionViews, sectionBytes } from './sections.ts';
import { Segment } from './segment.ts';

/** Number of bytes per read during verification. */
const CHUNK = 1 << 16;

/**
 * Opens a segment from the given bytes, which can be shared between threads and must never change. Takes less than a
 * millisecond at any size, because it only checks lengths. For bytes from a disk or a network, also call
 * `verifySegment` once. Throws BuildError if the format is not FORMAT_VERSION, or if a section is missing, has another
 * length than in the manifest, or is not aligned to its number type (a multiple of 4 bytes is always aligned).
 *
 * @param read reads bytes of the COLD_SECTIONS that are not in `sections`. It is called each time such bytes are needed
 */
export function openSegment(manifest: SegmentManifest, sections: Sections, read?: ReadSection): Segment {
  checkFormat(manifest);
  return new Segment(manifest, new SectionViews(manifest, sections, read));
}

/** Opens a build without deltas (see `openSegment`). */
export function openBuild(manifest: SegmentManifest, sections: Sections, read?: ReadSection): Build {
  return new Build([openSegment(manifest, sections, read)]);
}

/**
 * Checks the checksum of every section (see `checksum` for the time it takes). Throws BuildError naming the first
 * missing or damaged section. `read` is as for `openSegment`.
 */
export function verifySegment(manifest: SegmentManifest, sections: Sections, read?: ReadSection): void {
  checkFormat(manifest);
  verifySections(manifest.sections, sections, read);
}

/** Checks the checksum of each section. Throws BuildError naming the first missing or damaged section. */
export function verifySections(manifests: readonly SectionManifest[], sections: Sections, read?: ReadSection): void {
  for (const section of manifests) {
    const actual = checksumOf(section, sections, read);
    if (actual !== section.checksum) {
      throw new BuildError(`section ${section.name} is damaged: checksum ${actual}, expected ${section.checksum}`);
    }
  }
}

function checksumOf(section: SectionManifest, sections: Sections, read: ReadSection | undefined): number {
  const { name, bytes } = section;
  if (read === undefined || sections.has(name)) return checksum(sectionBytes(section, sections));
  let sum = 0;
  for (let start = 0; start < bytes; start += CHUNK) {
    sum = checksum(read(name, start, Math.min(start + CHUNK, bytes)), sum);
  }
  return sum;
}

/**
 * Throws BuildError if the segment has another format. In another format, the other fields of the manifest could mean
 * anything.
 */
export function checkFormat(manifest: SegmentManifest): void {
  if (manifest.format !== FORMAT_VERSION) {
    throw new BuildError(`this engine reads build format ${FORMAT_VERSION}, not ${manifest.format}`);
  }
}
