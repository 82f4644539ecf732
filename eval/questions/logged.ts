import path from 'node:path';
import { offensiveWords } from '../../packages/search/src/index.ts';
import { PAGE } from '../metrics/metrics.ts';
import { readLines } from '../support/table.ts';
import type { Question } from './question.ts';
import { modeOf } from './search-sets.ts';

/** Number of searches that are taken from the log. They are evenly spread over the log. */
const SEARCHES = 2_000;
const words = offensiveWords();

/**
 * Sends searches of a query log, to answer two questions. Does a page show an offensive word although the query has
 * none? Is a page filled by meaning alone, because no GIF has any word of the query?
 */
export function logged(folder: string): Question[] | undefined {
  const lines = readLines(path.join(folder, '..', 'queries.tsv.gz'))?.slice(1);
  if (lines === undefined) return undefined;
  const queries = lines.flatMap((line) => {
    const [, , operation, query = ''] = line.split('\t');
    return operation === 'search' && query.trim() !== '' ? [query] : [];
  });
  const step = Math.max(1, Math.floor(queries.length / SEARCHES));
  return queries
    .filter((_, i) => i % step === 0)
    .slice(0, SEARCHES)
    .map((query) => ({
      group: query,
      parts: ['pages'],
      ask: async (client, channel) => {
        const { ids, texts, semantic } = await client.search(query, modeOf(channel), PAGE);
        const isAsked = words.isIn(query);
        const isOffensive = !isAsked && texts.some((text) => words.isIn(text));
        const isMeant = ids.length === 0 || (await client.search(query, 'text', 1)).ids.length > 0;
        return { scores: { inoffensive: isOffensive ? 0 : 1, meant: isMeant ? 1 : 0 }, semantic };
      },
    }));
}
