import { createHash } from 'node:crypto';
import type {
  CatalogueGif,
  CataloguePage,
  CatalogueQuery,
  GifExplanation,
  GifsAct,
  GifsOutcome,
} from '@zoetrope/contract/account';
import { ServiceError } from '../../base/errors.ts';
import { gifIdIn } from '../../base/gif-id.ts';
import { ANY_GIF, type BrowsedGif, type BrowseFilter, browseGifs, pickGifs } from '../../catalog/index.ts';
import { type Act, isBlockedByHash, type Move, moderate, recordsOf, undoMove } from '../../moderation/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { AccountContext } from '../context.ts';
import type { Actor } from '../proofs/prove.ts';

/** Number of GIFs per page. */
const PAGE = 60;
/** Maximum number of tags of a GIF. */
const MAX_TAGS = 100;

/**
 * Returns a page of the catalogue. If the query has words, the first pages are search results, best first. The later
 * pages come from the records, so they also have GIFs that the search does not show. Later pages can repeat GIFs.
 */
export async function showCatalogue(
  db: Database,
  query: CatalogueQuery,
  { search, uploads }: Pick<AccountContext, 'search' | 'uploads'>,
): Promise<CataloguePage> {
  const { q = '', source = '', state = '', rating = '', format = '', wordless = '', after = '' } = query;
  const words = q.split(/\s+/).filter((word) => word !== '');
  const filter: BrowseFilter = { words, source, state, rating, format, isWordless: wordless !== '' };
  const { maxBytes: maxFileBytes } = uploads;
  const best = /^(?:best:(\d{1,4}))?$/.exec(after);
  if (best !== null && words.length > 0 && (state === '' || state === 'shown')) {
    const from = Number(best[1] ?? 0);
    const ids = await search(q);
    const gifs = await pickGifs(db, { ...filter, words: [] }, ids.slice(from, from + PAGE));
    const next = from + PAGE < ids.length ? `best:${from + PAGE}` : ALL;
    return { gifs: gifs.map(show), next, maxFileBytes };
  }
  const place = after.startsWith(ALL) ? after.slice(ALL.length) : '';
  const { gifs, next } = await browseGifs(db, filter, { after: place, limit: PAGE });
  return { gifs: gifs.map(show), next: next === '' ? '' : `${ALL}${next}`, maxFileBytes };
}

/** Prefix of `after` for pages that are read from the records. */
const ALL = 'all:';

function show(gif: BrowsedGif): CatalogueGif {
  const { id, title, tags, alt, source, format, width, height, url, hiddenBecause, edited } = gif;
  return {
    ...{ id, title, tags, alt, source, format, width, height, url, hiddenBecause, edited },
    addedAt: gif.addedAt === 0 ? null : gif.addedAt,
    waiting: url !== null && gif.verified === 'nothing',
    rating: gif.said?.rating ?? '',
    ratedBy: gif.said?.saidBy ?? '',
    markedAdult: gif.adult,
  };
}

const HASH = /^[0-9a-f]{64}$/;

/** Returns everything known about an id, URL or hash, so that an operator learns why a GIF is not shown. */
export async function explainGif(
  db: Database,
  given: string,
  { console }: Pick<AccountContext, 'console'>,
): Promise<GifExplanation> {
  const text = given.trim();
  const id = gifIdIn(text);
  const hash = HASH.exec(id.replace(/\.(gif|webp)$/, ''))?.[0] ?? null;
  // The id of a linked GIF is the hash of its URL if the manifest has no id.
  const ofUrl = `${createHash('sha256').update(text).digest('hex')}.gif`;
  const gifs = await pickGifs(db, ANY_GIF, [id, text, ofUrl, ...(hash === null ? [] : [`${hash}.gif`])]);
  const blocked = await isBlockedByHash(db, hash);
  return { gifs: gifs.map(show), blocked, ...(await console.explain(text)) };
}

/** Applies an action to several GIFs. Each GIF has its own transaction and its own entry in the log. */
export async function actOnGifs(db: Database, by: Actor['by'], given: GifsAct): Promise<GifsOutcome> {
  const outcomes: GifsOutcome['outcomes'] = [];
  for (const id of given.ids) {
    outcomes.push(
      await outcomeOf(id, async () => {
        const act = given.action === 'tag' ? await toTagAct(db, id, given.tag.trim()) : { action: given.action };
        return act === null ? null : moderate(db, by, id, act);
      }),
    );
  }
  return { outcomes, gifs: (await pickGifs(db, ANY_GIF, given.ids)).map(show) };
}

/** Undoes several actions, the latest first. */
export async function undoMany(db: Database, by: Actor['by'], moves: readonly number[]): Promise<GifsOutcome> {
  const outcomes: GifsOutcome['outcomes'] = [];
  const gifs = new Set<string>();
  for (const seq of moves.toSorted((a, b) => b - a)) {
    outcomes.push(
      await outcomeOf(String(seq), async () => {
        const move = await undoMove(db, by, seq);
        if (move !== null) gifs.add(move.gif);
        return move;
      }),
    );
  }
  return { outcomes, gifs: (await pickGifs(db, ANY_GIF, [...gifs])).map(show) };
}

async function outcomeOf(id: string, act: () => Promise<Move | null>): Promise<GifsOutcome['outcomes'][number]> {
  try {
    const move = await act();
    if (move === null) return { id, outcome: 'unchanged', message: '', move: null };
    return { id: move.gif, outcome: 'done', message: '', move: move.seq };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { id, outcome: 'refused', message: error.message, move: null };
  }
}

/**
 * Returns the edit that adds a tag, or null if the GIF already has the tag. @throws ServiceError `not_found`, or
 * `conflict`
 */
async function toTagAct(db: Database, id: string, tag: string): Promise<Act | null> {
  const [gif] = await recordsOf(db, [id]);
  if (gif === undefined) throw new ServiceError('not_found', `The catalogue has no GIF ${id}`);
  if (gif.tags.includes(tag)) return null;
  if (gif.tags.length >= MAX_TAGS)
    throw new ServiceError('conflict', `It already has ${MAX_TAGS} tags: remove one first`);
  return { action: 'edit', edit: { tags: [...gif.tags, tag] } };
}
