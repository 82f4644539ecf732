import { analyse, isPlain, TOKEN } from '../analysis/analyse.ts';
import { withEmoji } from '../analysis/emoticons.ts';
import { fold } from '../analysis/fold.ts';
import { normalise } from '../analysis/normalise.ts';

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
 * Returns the segments of a query, in order. Words are the terms of `analyse`, but a run is a single segment instead of
 * pairs.
 */
export function segmentsOf(text: string): Segment[] {
  const query = withEmoji(normalise(text));
  if (isPlain(query)) return analyse(query).map((text) => ({ kind: 'word', text, accents: '' }));
  return query.split(' ').flatMap((chunk) => {
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
