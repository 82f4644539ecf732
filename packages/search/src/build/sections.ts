import { BuildError, type SectionManifest, type SegmentManifest } from './manifest.ts';
import { EqualRecords, Packed, type Records, RemoteRecords } from './packed.ts';

export type Sections = ReadonlyMap<string, Uint8Array>;

/** Reads bytes `start` up to `end` of a section that is not in memory. */
export type ReadSection = (section: string, start: number, end: number) => Uint8Array;

/**
 * The sections that a search reads rarely: stored fields, ids, popularity. They are a third of a build, and can stay on
 * disk.
 */
export const COLD_SECTIONS: readonly string[] = ['ids-bytes', 'popularity', 'stored-bytes'];

/** Whether the machine has the byte order of the format. Typed arrays use the machine's byte order. */
const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/**
 * Returns the bytes of a section. Throws BuildError if they are missing or have another length than in the manifest.
 */
export function sectionBytes(section: SectionManifest, sections: Sections): Uint8Array {
  const bytes = sections.get(section.name);
  if (bytes === undefined) throw new BuildError(`section ${section.name} is missing`);
  if (bytes.length !== section.bytes) {
    throw new BuildError(`section ${section.name} has ${bytes.length} bytes, expected ${section.bytes}`);
  }
  return bytes;
}

/**
 * Gives access to sections as arrays of numbers, without copying them. `count` is the expected length of an array, if
 * it is known.
 */
export class SectionViews {
  readonly #manifest: Pick<SegmentManifest, 'sections'>;
  readonly #sections: Sections;
  readonly #read: ReadSection | undefined;

  constructor(manifest: Pick<SegmentManifest, 'sections'>, sections: Sections, read?: ReadSection) {
    if (!LITTLE_ENDIAN) throw new BuildError('builds need a little-endian machine');
    this.#manifest = manifest;
    this.#sections = sections;
    this.#read = read;
  }

  /** Returns the records of `name-offsets` and `name-bytes`. The bytes are read on demand if they are not in memory. */
  records(name: string, count: number): Records {
    const offsets = this.uint32(`${name}-offsets`, count + 1);
    const bytes = `${name}-bytes`;
    const read = this.#read;
    if (read === undefined || this.#sections.has(bytes)) return new Packed(offsets, this.uint8(bytes));
    return new RemoteRecords(offsets, (start, end) => read(bytes, start, end));
  }

  /** `count` records of `width` bytes each, read on demand if they are not in memory. */
  equalRecords(name: string, width: number, count: number): Records {
    const read = this.#read;
    if (read !== undefined && !this.#sections.has(name)) {
      return new EqualRecords(count, width, (start, end) => read(name, start, end));
    }
    const bytes = this.uint8(name, count * width);
    return new EqualRecords(count, width, (start, end) => bytes.subarray(start, end));
  }

  uint8(name: string, count?: number): Uint8Array {
    return this.#bytes(name, 1, count);
  }

  uint16(name: string, count?: number): Uint16Array {
    const bytes = this.#bytes(name, 2, count);
    return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  }

  uint32(name: string, count?: number): Uint32Array {
    const bytes = this.#bytes(name, 4, count);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  #bytes(name: string, width: number, count?: number): Uint8Array {
    const section = this.#manifest.sections.find((candidate) => candidate.name === name);
    if (section === undefined) throw new BuildError(`section ${name} is not in the manifest`);
    const bytes = sectionBytes(section, this.#sections);
    const numbers = bytes.length / width;
    if (!Number.isInteger(numbers) || (count !== undefined && numbers !== count)) {
      throw new BuildError(
        `section ${name} has ${bytes.length} bytes, expected ${count ?? 'a multiple of'} × ${width}`,
      );
    }
    if (bytes.byteOffset % width !== 0) throw new BuildError(`section ${name} is not aligned to ${width} bytes`);
    return bytes;
  }
}
