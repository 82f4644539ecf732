import path from 'node:path';
import { PAGE, shareOfEnglish } from '../metrics/metrics.ts';
import { readLines } from '../support/table.ts';
import type { Question } from './question.ts';
import { modeOf } from './search-sets.ts';

const ENGLISH = 'en';
/** Minimum score of a useful response. Such a response is a third as good as the English one. */
const USEFUL = 0.34;

/**
 * Reads questions about what people feel and do, in the words of fifteen languages. A GIF is right when its title or
 * tags match the concept's pattern. The score of a query is the number of its right GIFs as a share of the number that
 * the English words find. The set is not split into halves, because it has only 30 concepts.
 */
export function everyday(folder: string): Question[] | undefined {
  const own = path.join(folder, 'everyday');
  const patterns = readLines(path.join(own, 'words.tsv'))?.map((line) => line.split('\t') as [string, string]);
  const [languages, ...rows] = readLines(path.join(own, 'dev.tsv'))?.map((line) => line.split('\t')) ?? [];
  if (patterns === undefined || languages === undefined) return undefined;
  const rightOf = new Map(patterns.map(([concept, pattern]) => [concept, new RegExp(`\\b(?:${pattern})`, 'i')]));
  return rows.flatMap(([english, ...others]) =>
    [english!, ...others].map((query, at) => ask(languages[at]!, { query, english: english! }, rightOf.get(english!)!)),
  );
}

function ask(language: string, { query, english }: { query: string; english: string }, right: RegExp): Question {
  return {
    group: english,
    parts: language === ENGLISH ? [ENGLISH] : ['languages', language],
    ask: async (client, channel) => {
      const found = await client.search(query, modeOf(channel), PAGE);
      const yardstick = query === english ? found : await client.search(english, modeOf(channel), PAGE);
      const share = shareOfEnglish(countRight(found.texts, right), countRight(yardstick.texts, right));
      const scores = { share, useful: share >= USEFUL ? 1 : 0, answered: found.ids.length > 0 ? 1 : 0 };
      return { scores, semantic: found.semantic };
    },
  };
}

function countRight(texts: readonly string[], right: RegExp): number {
  return texts.filter((text) => right.test(text)).length;
}
