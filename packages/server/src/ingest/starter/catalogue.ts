import { type Entry, parseTable } from './entry.ts';
import { greetings } from './table-greetings.ts';

/** Every GIF of the starter catalogue; to add one, add a line to one of the tables. */
export const catalogue: readonly Entry[] = [greetings].flatMap(parseTable);
