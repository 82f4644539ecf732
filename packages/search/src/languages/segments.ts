import { TOKEN } from '../analysis/analyse.ts';
import { fold } from '../analysis/fold.ts';
import { normalise } from '../analysis/normalise.ts';

/** A piece of a text: an emoji, a word, or a run of a script that is written without spaces. */
export interface Segment {
  kind: 'emoji' | 'word' | 'run';
  /** Folded. */
  text: string;
  /** Letters beyond a to z in the word that it stands in, as they are written. */
  accents: string;
}

const PLAIN = /[[\p{ASCII}]\P{L}]+/gv;

/** The segments of a text, in order. Their words are the terms of `analyse`; a run is one segment, not pairs. */
export function segmentsOf(text: string): Segment[] {
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

/** The form in which a term is looked up: its segments with single blanks between them. */
export function keyOf(text: string): string {
  return segmentsOf(text)
    .map((segment) => segment.text)
    .join(' ');
}
