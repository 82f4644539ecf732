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
