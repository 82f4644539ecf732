import type {
  GifAct,
  GifMove,
  GifMoves,
  ModeratedGif,
  ModerationList,
  ModerationQueue,
  ReportOrder,
} from '@zoetrope/contract/account';
import { ServiceError } from '../base/errors.ts';
import { findGif } from '../catalog/index.ts';
import {
  type Act,
  countQueues,
  type GifState,
  listReports,
  type Move,
  pageOfMoves,
  pageOfQueue,
  pageOfReported,
  recordsOf,
  stateOf,
} from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';

/** Number of GIFs per page. */
const PAGE = 20;

/** The list to show, and the page of this list. */
interface PageRequest {
  list: ModerationList;
  /** Only for reported GIFs. */
  order: ReportOrder;
  /** `next` of the previous page, or an empty string for the first page. */
  after: string;
}

/** Returns a page of GIFs to moderate. */
export async function showModeration(db: Database, wanted: PageRequest): Promise<ModerationQueue> {
  const { ids, next } = await pageOfList(db, wanted);
  const gifs: ModeratedGif[] = [];
  // A report can refer to a GIF that no longer exists.
  for (const id of ids) if (await findGif(db, id)) gifs.push(await showModerated(db, id));
  return { ...(await countQueues(db)), gifs, next };
}

async function pageOfList(db: Database, { list, order, after }: PageRequest): Promise<{ ids: string[]; next: string }> {
  if (list === 'reported') return pageOfReported(db, { order, after, limit: PAGE });
  const ids = await pageOfQueue(db, list, { after, limit: PAGE });
  return { ids, next: ids.length === PAGE ? ids.at(-1)! : '' };
}

/** @throws ServiceError `not_found` */
export async function showModerated(db: Database, given: string): Promise<ModeratedGif> {
  const { hidden, inReview = false, blocked, rating, edit } = await stateOf(db, given);
  const [gif] = await recordsOf(db, [given]);
  const { id, title, tags, alt, source, width, height } = gif!;
  const reports = await listReports(db, { gif: id, state: 'open' });
  return {
    ...{ id, title, tags, alt, source, width, height, hidden, inReview, blocked },
    rating: rating?.rating ?? '',
    ratedBy: rating?.saidBy ?? '',
    edited: edit !== null,
    reports: reports.map(({ gif: _, state: __, ...report }) => report),
    moves: (await pageOfMoves(db, { gif: id })).map(showMove),
  };
}

/** Returns a page of the changes of all GIFs, latest first. @param before only changes with a lower id; 0 for the latest */
export async function showMoves(db: Database, before: number): Promise<GifMoves> {
  const moves = await pageOfMoves(db, { before });
  const gifs = await recordsOf(db, [...new Set(moves.map(({ gif }) => gif))]);
  const titles = new Map(gifs.map(({ id, title }) => [id, title]));
  return { moves: moves.map((move) => ({ ...showMove(move), title: titles.get(move.gif) ?? '' })) };
}

function showMove({ seq, gif, action, actor, at, reason, before, after, undone }: Move): GifMove {
  const changes = (Object.keys(after) as (keyof GifState)[])
    .filter((what) => JSON.stringify(before[what]) !== JSON.stringify(after[what]))
    .map((what) => ({ what, before: inWords(before, what), after: inWords(after, what) }));
  return { id: seq, gifId: gif, action, actor, at, reason, changes, undone };
}

function inWords(state: GifState, what: keyof GifState): string {
  if (what === 'rating') return state.rating === null ? 'none' : `${state.rating.rating}, by ${state.rating.saidBy}`;
  if (what === 'reports') return `${state.reports.length} open`;
  if (what === 'inReview') return state.inReview ? 'waiting' : 'reviewed';
  if (what !== 'edit') return state[what] ? 'yes' : 'no';
  if (state.edit === null) return 'not edited';
  const { title, tags, alt } = state.edit;
  const parts = { title, tags: tags?.join(', ') ?? null, alt };
  return Object.entries(parts)
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ');
}

/** Turns an operator's form into an act. Only fields that differ from the GIF's current title, tags and alt text become edits. The other fields still follow their sources. */
export async function toAct(db: Database, id: string, given: GifAct): Promise<Act> {
  if (given.action === 'unedit') return { action: 'edit', edit: { title: null, tags: null, alt: null } };
  if (given.action !== 'edit') return { action: given.action };
  const [gif] = await recordsOf(db, [id]);
  if (gif === undefined) throw new ServiceError('not_found', `The catalogue has no GIF ${id.slice(0, 200)}`);
  const { title, tags, alt } = given;
  const isOther = tags.join('\n') !== gif.tags.join('\n');
  return {
    action: 'edit',
    edit: { ...(title !== gif.title && { title }), ...(isOther && { tags }), ...(alt !== gif.alt && { alt }) },
  };
}
