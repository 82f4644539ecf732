import fs from 'node:fs';
import path from 'node:path';
import { BuildError, COLD_SECTIONS, EARLIER_SECTIONS, Earlier, type EarlierSegment } from '@zoetrope/search';
import type { PublishedManifest } from './manifest.ts';
import { readerOf } from './stored-gif.ts';

/** The published segments to which a delta is added. */
interface OpenedEarlier extends Disposable {
  earlier: Earlier;
  /** The figures of the base's appearance space. Undefined if the base has no such space. */
  looks: Uint8Array | undefined;
}

/**
 * Reads only the sections that the writer of a delta needs. The other sections stay on disk.
 * @throws BuildError if a section cannot be read, or one of EARLIER_SECTIONS is damaged
 */
export function openEarlier(folder: string, segments: readonly PublishedManifest[]): OpenedEarlier {
  using opened = new DisposableStack();
  const openSegment = ({ build, engine }: PublishedManifest): EarlierSegment => {
    const pathOf = (name: string) => path.join(folder, build, name);
    const files = new Map(COLD_SECTIONS.map((name) => [name, reading(name, () => fs.openSync(pathOf(name), 'r'))]));
    for (const file of files.values()) opened.defer(() => fs.closeSync(file));
    const sections = new Map(
      EARLIER_SECTIONS.map((name) => [name, reading(name, () => fs.readFileSync(pathOf(name)))]),
    );
    return { manifest: engine, sections, read: readerOf(files) };
  };
  const [base, ...deltas] = segments;
  const earlier = new Earlier([openSegment(base!), ...deltas.map(openSegment)]);
  const figures = path.join(folder, base!.build, 'looks-figures');
  const looks = base!.engine.spaces.looks && reading('looks-figures', () => fs.readFileSync(figures));
  const owned = opened.move();
  return { earlier, looks, [Symbol.dispose]: () => owned.dispose() };
}

function reading<Result>(section: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new BuildError(`section ${section} cannot be read: ${(cause as Error).message}`);
  }
}
