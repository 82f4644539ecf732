import { type Segment, segmentsOf } from './segments.ts';

/** What a query is matched by: an emoji, a word, or one letter (with its marks) of a run without spaces. */
export interface Unit {
  kind: 'emoji' | 'word' | 'letter';
  /** Folded. */
  text: string;
  /** Letters beyond a to z in the word that it stands in, as they are written. */
  accents: string;
  /** Units of one stretch can form terms together: neighbouring words, or the letters of one run. */
  stretch: number;
}

const CLUSTER = /\P{M}\p{M}*/gu;

/** The units of a query, in order. */
export function unitsOf(query: string): Unit[] {
  const units: Unit[] = [];
  let stretch = 0;
  let previous: Segment['kind'] | undefined;
  for (const { kind, text, accents } of segmentsOf(query)) {
    if (kind !== 'word' || previous !== 'word') stretch += 1;
    previous = kind;
    if (kind === 'run') {
      for (const letter of text.match(CLUSTER) ?? []) units.push({ kind: 'letter', text: letter, accents, stretch });
    } else {
      units.push({ kind, text, accents, stretch });
    }
  }
  return units;
}

/** The term that units from `start` to `end` (exclusive) form; they must be of one stretch. */
export function termOf(units: readonly Unit[], start: number, end: number): string {
  return units
    .slice(start, end)
    .map(({ text }) => text)
    .join(units[start]!.kind === 'letter' ? '' : ' ');
}
