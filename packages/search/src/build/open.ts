import { Build } from './build.ts';
import { checksum } from './checksum.ts';
import { BuildError, type BuildManifest, FORMAT_VERSION } from './manifest.ts';
import { type Sections, SectionViews, sectionBytes } from './sections.ts';

/**
 * Opens a build over the given bytes, which may be shared between threads and must never change. Takes well under a
 * millisecond whatever the size, as it looks at lengths only: call `verifyBuild` once on bytes from a disk or a
 * network. Throws BuildError if the format is not FORMAT_VERSION, or a section is missing, of another length than
 * the manifest says, or not aligned to its numbers (multiples of 4 always are).
 */
export function openBuild(manifest: BuildManifest, sections: Sections): Build {
  checkFormat(manifest);
  return new Build(manifest, new SectionViews(manifest, sections));
}

/**
 * Compares every section with its checksum (for the time it takes see `checksum`). Throws BuildError naming the
 * first section that is missing or damaged.
 */
export function verifyBuild(manifest: BuildManifest, sections: Sections): void {
  checkFormat(manifest);
  for (const section of manifest.sections) {
    const actual = checksum(sectionBytes(section, sections));
    if (actual !== section.checksum) {
      throw new BuildError(`section ${section.name} is damaged: checksum ${actual}, expected ${section.checksum}`);
    }
  }
}

function checkFormat(manifest: BuildManifest): void {
  if (manifest.format !== FORMAT_VERSION) {
    throw new BuildError(`this engine reads build format ${FORMAT_VERSION}, not ${manifest.format}`);
  }
}
