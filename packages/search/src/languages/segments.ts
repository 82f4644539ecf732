import { analyse, TOKEN } from '../analysis/analyse.ts';
import { fold } from '../analysis/fold.ts';
import { isAscii, normalise } from '../analysis/normalise.ts';

/** A piece of a text: an emoji, a word, or a run of a script that is written without spaces. */
export interface Segment {
  kind: 'emoji' | 'word' | 'run';
  /** The folded text. */
  text: string;
  /** The word's letters other than a to z, as typed. */
  accents: string;
}

const PLAIN = /[[\p{ASCII}]\P{L}]+/gv;

/**
 * Returns the segments of a text, in order. Words are the terms of `analyse`, but a run is a single segment instead of
 * pairs.
 */
export function segmentsOf(text: string): Segment[] {
  if (isAscii(text)) return analyse(text).map((text) => ({ kind: 'word', text, accents: '' }));
  return normalise(text)
    .split(' ')
    .flatMap((chunk) => {
      const accents = chunk.replace(PLAIN, '');
      return Array.from(fold(chunk).matchAll(TOKEN), ({ 0: text, groups }) => {
        const kind = groups?.['emoji'] !== undefined ? 'emoji' : groups?.['run'] !== undefined ? 'run' : 'word';
        return { kind, text, accents } as const;
      });
    });
}

/** Returns the form for looking up a term: its segments separated by single blanks. */
export function keyOf(text: string): string {
  return (fold(text).match(TOKEN) ?? []).join(' ');
}
