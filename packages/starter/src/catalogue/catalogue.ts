import { type Entry, parseTable } from './entry.ts';
import { animals } from './table-animals.ts';
import { crypto } from './table-crypto.ts';
import { feelings } from './table-feelings.ts';
import { food } from './table-food.ts';
import { greetings } from './table-greetings.ts';
import { play } from './table-play.ts';
import { reactions } from './table-reactions.ts';
import { world } from './table-world.ts';

/** Every GIF of the starter catalogue. To add a GIF, add a line to one of the tables. */
export const catalogue: readonly Entry[] = [greetings, reactions, feelings, animals, food, play, world, crypto].flatMap(
  parseTable,
);

/** Number of GIFs of the first part: one screen of the search page. */
const FIRST = 36;

/**
 * A part of the catalogue. `first` has the GIFs that most people want, which are drawn before a new service listens.
 * `rest` has all other GIFs.
 */
export type Part = 'first' | 'rest';

/** Returns the GIFs of a part, the most popular first. Without a part, returns the whole catalogue in its own order. */
export function entriesOf(part: Part | undefined): readonly Entry[] {
  if (part === undefined) return catalogue;
  const ranked = catalogue.toSorted((a, b) => b.popularity - a.popularity);
  return part === 'first' ? ranked.slice(0, FIRST) : ranked.slice(FIRST);
}
