import { accentedForm, type Segment, segmentsOf } from './segments.ts';

/** The unit of matching: an emoji, a word, or one letter (with its marks) of a run without spaces. */
export interface Unit {
  kind: 'emoji' | 'word' | 'letter';
  /** The folded text. */
  text: string;
  /** The word's letters other than a to z, as typed. */
  accents: string;
  /** The text as typed, normalised but not folded. */
  typed: string;
  /** Only units of the same stretch can form a term: neighbouring words, or the letters of one run. */
  stretch: number;
}

const CLUSTER = /\P{M}\p{M}*/gu;

/** Returns the units of a query, in order. */
export function unitsOf(query: string): Unit[] {
  const units: Unit[] = [];
  let stretch = 0;
  let previous: Segment['kind'] | undefined;
  for (const { kind, text, accents, typed } of segmentsOf(query)) {
    if (kind !== 'word' || previous !== 'word') stretch += 1;
    previous = kind;
    if (kind === 'run') {
      for (const letter of text.match(CLUSTER) ?? []) {
        units.push({ kind: 'letter', text: letter, accents, typed: letter, stretch });
      }
    } else {
      units.push({ kind, text, accents, typed, stretch });
    }
  }
  return units;
}

/** Returns units `start` to `end` (exclusive) as typed, or undefined if they have no accents (`accentedForm`). */
export function typedTermOf(units: readonly Unit[], start: number, end: number): string | undefined {
  const some = units.slice(start, end);
  if (some.every(({ accents }) => accents === '')) return undefined;
  return accentedForm(some.map(({ typed }) => typed).join(' '));
}

/** Returns the term formed by units `start` to `end` (exclusive) of one stretch. */
export function termOf(units: readonly Unit[], start: number, end: number): string {
  return units
    .slice(start, end)
    .map(({ text }) => text)
    .join(units[start]!.kind === 'letter' ? '' : ' ');
}
