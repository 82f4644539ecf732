import { plain, prefixViolations, recallAt, type TagCount } from '../metrics/metrics.ts';
import { readTable } from '../support/table.ts';
import type { Question, Scored } from './question.ts';
import { modeOf } from './search-sets.ts';
import { isIn, type Split } from './split.ts';

/** The default number of terms that clients get, and the maximum. */
const USUAL = 8;
const MOST = 20;
/** Number of characters that are typed before the first terms appear. */
const BEGINNING = 5;

/** Asks for completions of misspelt words. People made the `real` mistakes, and a program made the others. */
export function typo(folder: string, split: Split): Question[] | undefined {
  return readTable(folder, 'typo.tsv')
    ?.filter(([, , want]) => isIn(split, want!))
    .map(([kind, typed, want]) => ({
      group: want!,
      parts: kind === 'real' ? ['real'] : ['edits', kind!],
      ask: async (client) => {
        const terms = await client.suggest(typed!, USUAL);
        const words = terms.map(({ term }) => plain(term));
        return { scores: { 'hit@8': recallAt(USUAL, words, plain(want!)) } };
      },
    }));
}

/** Asks for completions of prefixes of tags with known counts, with the default and the maximum number of terms. */
export function prefix(folder: string, split: Split): Question[] | undefined {
  return readTable(folder, 'prefix_tags.tsv')
    ?.filter(([beginning]) => isIn(split, beginning!))
    .map(([beginning, , list]) => ({
      group: beginning!,
      parts: ['order'],
      ask: async (client) => {
        const tags = readTagCounts(list!);
        let violations = 0;
        for (const limit of [USUAL, MOST]) {
          violations += prefixViolations(beginning!, tags, await client.suggest(beginning!, limit));
        }
        return { scores: { violations } };
      },
    }));
}

/** Reads a list such as `a:3 | b | c:1`. An entry ends at its count, so a tag can contain the separator. */
export function readTagCounts(list: string): TagCount[] {
  return Array.from(list.matchAll(/(.+?):(\d+)(?: \| |$)/g), ([, tag, n]) => ({ tag: tag!, n: Number(n) }));
}

/**
 * Uses titles of adult GIFs as queries, because these queries would find adult GIFs most easily. The watch counts the
 * adult GIFs in the responses. There is no score.
 */
export function adultSearch(folder: string, split: Split): Question[] | undefined {
  return adult(folder, split, async (client, channel, { title }) => {
    const { semantic } = await client.search(title, modeOf(channel), 200);
    return { semantic };
  });
}

export function adultSuggest(folder: string, split: Split): Question[] | undefined {
  return adult(folder, split, async (client, _, { title }) => {
    await client.suggest([...title].slice(0, BEGINNING).join(''), MOST);
    await client.suggest(title, MOST);
    return {};
  });
}

export function adultSimilar(folder: string, split: Split): Question[] | undefined {
  return adult(folder, split, async (client, _, { id }) => {
    await client.similar(id, 50);
    return {};
  });
}

type Ask = Question['ask'];

function adult(
  folder: string,
  split: Split,
  ask: (...args: [...Parameters<Ask>, { id: string; title: string }]) => Promise<Pick<Scored, 'semantic'>>,
): Question[] | undefined {
  return readTable(folder, 'adult_ids.tsv')
    ?.filter(([id, title]) => isIn(split, id!) && title)
    .map(([id, title]) => ({
      group: id!,
      parts: [],
      ask: async (client, channel) => ({ scores: {}, ...(await ask(client, channel, { id: id!, title: title! })) }),
    }));
}
