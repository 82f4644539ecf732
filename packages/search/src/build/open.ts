import { Build } from './build.ts';
import { checksum } from './checksum.ts';
import { BuildError, type BuildManifest, FORMAT_VERSION, type SectionManifest } from './manifest.ts';
import { type ReadSection, type Sections, SectionViews, sectionBytes } from './sections.ts';

/** Bytes that are read at once to be checked. */
const CHUNK = 1 << 16;

/**
 * Opens a build over the given bytes, which may be shared between threads and must never change. Takes well under a
 * millisecond whatever the size, as it looks at lengths only: call `verifyBuild` once on bytes from a disk or a
 * network. Throws BuildError if the format is not FORMAT_VERSION, or a section is missing, of another length than
 * the manifest says, or not aligned to its numbers (multiples of 4 always are).
 *
 * @param read for COLD_SECTIONS that are not among the sections: reads of them what is wanted, each time
 */
export function openBuild(manifest: BuildManifest, sections: Sections, read?: ReadSection): Build {
  checkFormat(manifest);
  return new Build(manifest, new SectionViews(manifest, sections, read));
}

/**
 * Compares every section with its checksum (for the time it takes see `checksum`). Throws BuildError naming the
 * first section that is missing or damaged. `read` is as for `openBuild`.
 */
export function verifyBuild(manifest: BuildManifest, sections: Sections, read?: ReadSection): void {
  checkFormat(manifest);
  for (const section of manifest.sections) {
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

function checkFormat(manifest: BuildManifest): void {
  if (manifest.format !== FORMAT_VERSION) {
    throw new BuildError(`this engine reads build format ${FORMAT_VERSION}, not ${manifest.format}`);
  }
}
