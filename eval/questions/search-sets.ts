import path from 'node:path';
import type { SearchMode } from '../../packages/contract/src/index.ts';
import { isSameList, PAGE, recallAt, reciprocalRank, shareAt } from '../metrics/metrics.ts';
import { readJsonLines, readTable } from '../support/table.ts';
import type { Channel, Question } from './question.ts';
import { isIn, type Split } from './split.ts';

/** Maximum number of results in a list. */
export const WHOLE_LIST = 200;

/**
 * Kinds of queries that are not foreign. Foreign queries are in other alphabets, or contain words that are not English.
 */
const NOT_FOREIGN = new Set(['emoji', 'emoji_novs', 'en', 'tag']);

interface Judged {
  concept?: string;
  reaction?: string;
  ids: string[];
}

/** Searches with one person's description for a GIF that is indexed with another person's description. */
export function paraphrase(folder: string, split: Split): Question[] | undefined {
  return readTable(folder, 'paraphrase.tsv')
    ?.filter(([, target]) => isIn(split, target!))
    .map(([set, target, query]) => oneTarget([set!], target!, query!));
}

/** Searches for a photo with its caption in other words or in another language. */
export function photos(folder: string, split: Split): Question[] | undefined {
  const columns = ['en_a', 'en_short', 'de_a', 'de_b', 'fr', 'cs'];
  return readTable(folder, 'photo_crosslingual.tsv')
    ?.filter(([target]) => isIn(split, target!))
    .flatMap(([target, , ...captions]) =>
      columns.flatMap((column, at) =>
        captions[at] ? [oneTarget(pooled(column, 'de', column.startsWith('de_')), target!, captions[at])] : [],
      ),
    );
}

/** Searches with an emoji, or with its name in some language, for GIFs with a tag for the same thing. */
export function concepts(folder: string, split: Split): Question[] | undefined {
  const rows = readTable(folder, 'concept_queries.tsv')?.filter(([concept]) => isIn(split, concept!));
  return judged(rows, path.join(folder, 'concept_rel.jsonl.gz'));
}

/**
 * Asks questions like those of `concepts` for actions in reaction GIFs. The actions are not split into halves, because
 * there are only 19.
 */
export function reactions(folder: string): Question[] | undefined {
  return judged(readTable(folder, 'reaction_queries.tsv'), path.join(folder, 'reaction_rel.jsonl.gz'));
}

/**
 * Compares two ways to write one emoji. The set is not split into halves, because nothing can be tuned with these
 * pairs.
 */
export function emojiSame(folder: string): Question[] | undefined {
  return readTable(folder, 'emoji_same.tsv')?.map(([name, kind, a, b]) => ({
    group: name!,
    parts: ['all', kind!],
    ask: async (client, channel) => {
      const first = await client.search(a!, modeOf(channel), WHOLE_LIST);
      const second = await client.search(b!, modeOf(channel), WHOLE_LIST);
      const answered = first.ids.length > 0 && second.ids.length > 0 ? 1 : 0;
      return { scores: { same: isSameList(first.ids, second.ids), answered }, semantic: first.semantic };
    },
  }));
}

export function modeOf(channel: Channel): SearchMode {
  if (channel === 'suggest' || channel === 'similar') throw new Error(`${channel} is not a search`);
  return channel;
}

function oneTarget(parts: string[], target: string, query: string): Question {
  return {
    group: target,
    parts,
    ask: async (client, channel) => {
      const { ids, semantic } = await client.search(query, modeOf(channel), WHOLE_LIST);
      const recall = Object.fromEntries([10, 24, 200].map((k) => [`recall@${k}`, recallAt(k, ids, target)]));
      return { scores: { ...recall, MRR: reciprocalRank(ids, target) }, semantic };
    },
  };
}

function judged(rows: string[][] | undefined, file: string): Question[] | undefined {
  const judgements = readJsonLines<Judged>(file);
  if (!rows || !judgements) return undefined;
  const relevant = new Map(judgements.map(({ concept, reaction, ids }) => [concept ?? reaction, new Set(ids)]));
  return rows.map(([group, language, query]) => ({
    group: group!,
    parts: pooled(language!, 'languages', !NOT_FOREIGN.has(language!)),
    ask: async (client, channel) => {
      const { ids, semantic } = await client.search(query!, modeOf(channel), PAGE);
      return { scores: { 'P@24': shareAt(PAGE, ids, relevant.get(group) ?? new Set()) }, semantic };
    },
  }));
}

function pooled(part: string, pool: string, isPooled: boolean): string[] {
  return isPooled ? [pool, part] : [part];
}
