import path from 'node:path';
import { PAGE, sharedAt } from '../metrics/metrics.ts';
import type { Client } from '../support/client.ts';
import { readLines, readTable } from '../support/table.ts';
import type { Question, Scored } from './question.ts';
import { modeOf, WHOLE_LIST } from './search-sets.ts';
import { isIn, type Split } from './split.ts';

/** Number of queries that are typed letter by letter. They are the most frequent ones in a query log. */
const FREQUENT = 300;
/** The share of a query's letters that is typed before the first search. */
const TYPED = 0.6;
/** At least this number of GIFs on the first page must also be results of the finished query. */
const ENOUGH_WHILE_TYPING = 6;
const ENOUGH_AFTER_SLIP = 8;
const LETTERS_AND_BLANKS = /^[\p{L}\p{M} ]+$/u;
const SHORTEST = 3;

/**
 * Tests the most frequent queries of a log that consist of letters and blanks: does a half-typed query already find the
 * right GIFs?
 */
export function halfTyped(folder: string): Question[] | undefined {
  const lines = readLines(path.join(folder, '..', 'queries.tsv.gz'))?.slice(1);
  if (lines === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const [, , operation, query = ''] of lines.map((line) => line.split('\t'))) {
    const words = query.trim().toLowerCase();
    if (operation !== 'search' || words.length < SHORTEST || !LETTERS_AND_BLANKS.test(words)) continue;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const frequent = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, FREQUENT);
  return frequent.flatMap(([query]) =>
    beginningsOf(query).map((typed) => question(query, { typed, part: 'steps', enough: ENOUGH_WHILE_TYPING })),
  );
}

/** Searches with real misspellings: do they find the same GIFs as the right word? */
export function slips(folder: string, split: Split): Question[] | undefined {
  return readTable(folder, 'typo.tsv')
    ?.filter(([kind, , want]) => kind === 'real' && isIn(split, want!))
    .map(([, typed, want]) => question(want!, { typed: typed!, part: 'real', enough: ENOUGH_AFTER_SLIP }));
}

function beginningsOf(query: string): string[] {
  const letters = [...query];
  const beginnings: string[] = [];
  for (let length = Math.ceil(TYPED * letters.length); length < letters.length; length++) {
    const typed = letters.slice(0, length).join('');
    if (!typed.endsWith(' ')) beginnings.push(typed);
  }
  return beginnings;
}

async function hasCompletion(client: Client, typed: string): Promise<boolean> {
  const terms = await client.suggest(typed, 1);
  return terms.some(({ fuzzy }) => !fuzzy);
}

/**
 * Makes a question. If the finished query finds fewer GIFs than `enough`, these GIFs are enough. If it finds no GIFs,
 * `hit` is always 1.
 */
function question(query: string, { typed, part, enough }: { typed: string; part: string; enough: number }): Question {
  return {
    group: query,
    parts: [part],
    ask: async (client, channel) => {
      const whole = await client.search(query, modeOf(channel), WHOLE_LIST);
      const found = await client.search(typed, modeOf(channel), PAGE);
      const least = Math.min(enough, whole.ids.length);
      const scores: Scored['scores'] = {
        hit: sharedAt(PAGE, found.ids, new Set(whole.ids)) >= least ? 1 : 0,
        answered: found.ids.length > 0 || !(await hasCompletion(client, typed)) ? 1 : 0,
      };
      return { scores, semantic: found.semantic };
    },
  };
}
