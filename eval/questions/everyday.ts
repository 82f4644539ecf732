import path from 'node:path';
import { PAGE, shareOfEnglish } from '../metrics/metrics.ts';
import { readLines } from '../support/table.ts';
import type { Question } from './question.ts';
import { modeOf } from './search-sets.ts';

const ENGLISH = 'en';
/** The column with the plain words. The other columns have near-synonyms of them. */
const PLAIN = 'base';
/** Minimum score of a useful response. It is a third of the score of the English response. */
const USEFUL = 0.34;

/**
 * Reads questions about what people feel and do, in the words of fifteen languages. A GIF is right if its title or tags
 * match the concept's pattern. The score of a query is the number of its right GIFs, as a share of the number for the
 * English words. The set is not split into halves, because it has only 30 concepts.
 */
export function everyday(folder: string): Question[] | undefined {
  return readConcepts(path.join(folder, 'everyday', 'dev.tsv'), path.join(folder, 'everyday', 'words.tsv'));
}

/**
 * Reads questions like those of `everyday` for near-synonyms of English words. The plain words give the number of right
 * GIFs.
 */
export function synonyms(folder: string): Question[] | undefined {
  return readMore(folder, 'synonyms');
}

/** Reads questions like those of `everyday` for concepts in further languages. */
export function moreLanguages(folder: string): Question[] | undefined {
  return readMore(folder, 'languages');
}

/** Reads questions like those of `everyday` for sentences. */
export function sentences(folder: string): Question[] | undefined {
  return readMore(folder, 'sentences');
}

function readMore(folder: string, name: string): Question[] | undefined {
  const own = path.join(folder, 'more');
  return readConcepts(path.join(own, `${name}.tsv`), path.join(own, `${name}.words.tsv`));
}

/**
 * @param queries a table with a column for each language. Scores are relative to the first language
 * @param words a table with the pattern of each concept. Its first column is the name of the concept
 */
function readConcepts(queries: string, words: string): Question[] | undefined {
  const patterns = readLines(words)?.map((line) => line.split('\t') as [string, string]);
  const [languages, ...rows] = readLines(queries)?.map((line) => line.split('\t')) ?? [];
  if (patterns === undefined || languages === undefined) return undefined;
  const rightOf = new Map(patterns.map(([concept, pattern]) => [concept, new RegExp(`\\b(?:${pattern})`, 'i')]));
  return rows.flatMap(([plain, ...others]) =>
    [plain!, ...others].map((query, at) => ask(languages[at]!, { query, plain: plain! }, rightOf.get(plain!)!)),
  );
}

function ask(language: string, { query, plain }: { query: string; plain: string }, right: RegExp): Question {
  return {
    group: plain,
    parts: language === ENGLISH || language === PLAIN ? [language] : ['languages', language],
    ask: async (client, channel) => {
      const found = await client.search(query, modeOf(channel), PAGE);
      const yardstick = query === plain ? found : await client.search(plain, modeOf(channel), PAGE);
      const share = shareOfEnglish(countRight(found.texts, right), countRight(yardstick.texts, right));
      const scores = { share, useful: share >= USEFUL ? 1 : 0, answered: found.ids.length > 0 ? 1 : 0 };
      return { scores, semantic: found.semantic };
    },
  };
}

function countRight(texts: readonly string[], right: RegExp): number {
  return texts.filter((text) => right.test(text)).length;
}
