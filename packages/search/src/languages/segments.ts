import { TOKEN } from '../analysis/analyse.ts';
import { fold } from '../analysis/fold.ts';
import { normalise } from '../analysis/normalise.ts';

/** A piece of a text: an emoji, a word, or a run of a script that is written without spaces. */
export interface Segment {
  kind: 'emoji' | 'word' | 'run';
  /** Folded. */
  text: string;
  /** It stands in a word that has letters beyond a to z as it is written. */
  foreign: boolean;
}

const FOREIGN_LETTER = /[\p{L}--[a-z]]/v;

/** The segments of a text, in order. Their words are the terms of `analyse`; a run is one segment, not pairs. */
export function segmentsOf(text: string): Segment[] {
  return normalise(text)
    .split(' ')
    .flatMap((chunk) => {
      const foreign = FOREIGN_LETTER.test(chunk);
      return Array.from(fold(chunk).matchAll(TOKEN), ({ 0: text, groups }) => {
        const kind = groups?.['emoji'] !== undefined ? 'emoji' : groups?.['run'] !== undefined ? 'run' : 'word';
        return { kind, text, foreign } as const;
      });
    });
}

/** The form in which a term is looked up: its segments with single blanks between them. */
export function keyOf(text: string): string {
  return segmentsOf(text)
    .map((segment) => segment.text)
    .join(' ');
}
