import type { Category, Gif } from '@zoetrope/contract';
import { type JsonBytes, parseJsonBytes } from '../../builds/index.ts';
import { normaliseQuery, type Search } from '../../index/index.ts';
import type { HttpContext } from '../context.ts';
import { findGifs, toGif } from '../results.ts';
import { popular } from './lists.ts';

/** The topics if the operator sets no topics: common subjects on Nostr, then common reactions in conversations. */
const TOPICS =
  'gm, gn, zap, bitcoin, coffee, lfg, wow, lol, yes, no, applause, love, fire, cat, dog, happy, hug, laugh, dance, ' +
  'thumbs up, thank you, sorry, congratulations, birthday, party, good luck, facepalm, shrug, eye roll, cry, angry, ' +
  'tired, bored, waiting';
/** Minimum number of GIFs of a topic. */
const ENOUGH = 3;
/** Tags that are words. Other tags are codes, names of groups and years. */
const TERM = /^\p{L}[\p{L}\p{M}' -]+$/u;
/** Tags that carry no information in a catalogue of GIFs. */
const EVERYWHERE: ReadonlySet<string> = new Set(['gif', 'gifs', 'animated', 'animation']);
const ABBREVIATION = /^[b-df-hj-np-tv-xz]{2,3}$/;
/** Number of a topic's GIFs among which a cover is chosen that no other topic uses. */
const COVERS = 5;

/** Reads the operator's topics, which are separated by commas. Returns the default topics if the setting is empty. */
export function readTopics(setting: string): string[] {
  const terms = (setting.trim() === '' ? TOPICS : setting).split(',').map((term) => term.trim());
  return [...new Set(terms.filter((term) => term !== ''))];
}

/** Returns the topics for which the catalogue has enough GIFs. If possible, each topic has a different cover. */
export async function findCategories(index: Search, context: HttpContext): Promise<Category[]> {
  const found = await Promise.all(context.topics.map((term) => findTopic(term, index, context)));
  const used = new Set<string>();
  return found.flatMap(({ term, gifs }) => {
    if (gifs.length < ENOUGH) return [];
    const cover = gifs.find(({ id }) => !used.has(id)) ?? gifs[0]!;
    used.add(cover.id);
    return [{ name: nameOf(term), term, cover }];
  });
}

async function findTopic(term: string, index: Search, context: HttpContext): Promise<{ term: string; gifs: Gif[] }> {
  const { ranked } = await findGifs({ q: normaliseQuery(term), mode: 'text', rank: 'registered' }, index, context);
  const gifs = await ranked.gifs(0, COVERS);
  return { term, gifs: gifs.map((gif) => toGif(gif, context)) };
}

/** Returns the most frequent tags of the popular GIFs. If these GIFs have no tags, returns the topics. */
export async function findTerms(index: Search, limit: number, context: HttpContext): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const { words } of await popular(index)) {
    for (const tag of tagsIn(words)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const frequent = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([tag]) => tag);
  return frequent.length > 0 ? frequent.slice(0, limit) : context.topics.slice(0, limit);
}

function tagsIn(words: JsonBytes): string[] {
  const { tags } = parseJsonBytes(`{${words}}`) as Pick<Gif, 'tags'>;
  return tags.map((tag) => tag.toLowerCase()).filter((tag) => TERM.test(tag) && !EVERYWHERE.has(tag));
}

function nameOf(term: string): string {
  if (ABBREVIATION.test(term)) return term.toUpperCase();
  const [first = '', ...others] = [...term];
  return first.toLocaleUpperCase('en') + others.join('');
}
