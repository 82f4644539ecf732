import { analyse, isPlain, TOKEN } from '../analysis/analyse.ts';
import { withEmoji } from '../analysis/emoticons.ts';
import { fold } from '../analysis/fold.ts';
import { isAscii, normalise } from '../analysis/normalise.ts';

/** A piece of a text: an emoji, a word, or a run of a script that is written without spaces. */
export interface Segment {
  kind: 'emoji' | 'word' | 'run';
  /** The folded text. */
  text: string;
  /** The word's letters other than a to z, as typed. */
  accents: string;
  /** The text as typed, normalised but not folded. */
  typed: string;
}

const PLAIN = /[[\p{ASCII}]\P{L}]+/gv;
const LATIN = /^[\p{sc=Latin}\p{M}\p{N}]+$/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Returns the segments of a query, in order. Words are the terms of `analyse`, but a run is a single segment instead of
 * pairs.
 */
export function segmentsOf(text: string): Segment[] {
  const query = withEmoji(normalise(text));
  if (isPlain(query)) return analyse(query).map((text) => ({ kind: 'word', text, accents: '', typed: text }));
  return query.split(' ').flatMap((chunk) => {
    const accents = chunk.replace(PLAIN, '');
    const tokens = [...fold(chunk).matchAll(TOKEN)];
    const words = chunk.match(WORD) ?? [];
    return tokens.map(({ 0: text, groups }, i) => {
      const kind = groups?.['emoji'] !== undefined ? 'emoji' : groups?.['run'] !== undefined ? 'run' : 'word';
      return { kind, text, accents, typed: words.length === tokens.length ? words[i]! : text } as const;
    });
  });
}

/**
 * Returns the form for looking up a term of Latin letters in exactly this spelling, or undefined if it has no accents.
 * In other scripts, words rarely differ only in their accents.
 */
export function accentedForm(text: string): string | undefined {
  if (isAscii(text)) return undefined;
  const words = normalise(text).match(WORD) ?? [];
  return words.every((word) => LATIN.test(word)) && !words.every(isAscii) ? words.join(' ') : undefined;
}

/** Returns the form for looking up a term: its segments separated by single blanks. */
export function keyOf(text: string): string {
  return (isPlain(text) ? analyse(text) : (fold(text).match(TOKEN) ?? [])).join(' ');
}
