import { GifAct, ModerationList, ReportOrder } from '@zoetrope/contract/account';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Value } from 'typebox/value';
import { ServiceError } from '../../base/errors.ts';
import { moderate, pageOfMoves, recordsOf, undoMove } from '../../moderation/index.ts';
import type { AccountContext } from '../context.ts';
import { showModerated, showModeration, showMoves, toAct } from '../moderation.ts';
import { actorOf } from '../own.ts';
import { readBody } from '../read-body.ts';

interface OfGif {
  Params: { gifId: string };
}

/** Sends a picture to the dashboard. @throws ServiceError `not_found` if there is none */
export function sendPicture(
  reply: FastifyReply,
  picture: Awaited<ReturnType<AccountContext['picture']>> | undefined,
): FastifyReply {
  if (!picture) throw new ServiceError('not_found', 'This GIF has no picture');
  return reply
    .headers({ 'content-type': picture.contentType, 'cross-origin-resource-policy': 'same-origin' })
    .send(picture.bytes);
}

/** Registers the routes with which operators moderate single GIFs. */
export function registerModeration(app: FastifyInstance, context: AccountContext): void {
  const { catalogue } = context;
  app.get('/review/gifs', async ({ url }) => {
    const { searchParams } = new URL(url, 'http://here');
    const list = searchParams.get('list') ?? 'reported';
    if (!Value.Check(ModerationList, list)) {
      throw new ServiceError('validation', 'list must be one of reported, doubtful, withheld, uploaded, hidden');
    }
    const order = searchParams.get('order') ?? 'oldest';
    if (!Value.Check(ReportOrder, order)) throw new ServiceError('validation', 'order must be oldest or most');
    return showModeration(await catalogue(), { list, order, after: searchParams.get('after')?.slice(0, 200) ?? '' });
  });

  app.get<OfGif>('/review/gifs/:gifId', async ({ params }) => showModerated(await catalogue(), params.gifId));

  app.get<OfGif>('/review/gifs/:gifId/picture', async ({ params, url }, reply) => {
    const kind = new URL(url, 'http://here').searchParams.has('still') ? 'still' : 'moving';
    const [gif] = await recordsOf(await catalogue(), [params.gifId]);
    return sendPicture(reply, gif && (await context.picture(gif, kind)));
  });

  app.post<OfGif>('/review/gifs/:gifId/moves', async (request) => {
    const { gifId } = request.params;
    const given = readBody(request, GifAct);
    const db = await catalogue();
    const { by } = await actorOf(request, context);
    const { reason = '', lastMove } = given;
    await moderate(
      db,
      { ...by, reason, ...(lastMove !== undefined && { lastMove }) },
      gifId,
      await toAct(db, gifId, given),
    );
    return showModerated(db, gifId);
  });

  app.get('/review/moves', async ({ url }) => {
    const before = Number(new URL(url, 'http://here').searchParams.get('before') ?? 0);
    if (!Number.isSafeInteger(before) || before < 0) {
      throw new ServiceError('validation', 'before must be the id of an action in the log');
    }
    return showMoves(await catalogue(), before);
  });

  app.post<{ Params: { moveId: string } }>('/review/moves/:moveId/undo', async (request) => {
    const db = await catalogue();
    const { by } = await actorOf(request, context);
    const seq = Number(request.params.moveId);
    // PostgreSQL can compare the id only with a whole number.
    const [move] = Number.isSafeInteger(seq) ? await pageOfMoves(db, { before: seq + 1 }) : [];
    if (move?.seq !== seq)
      throw new ServiceError('not_found', `There is no action ${request.params.moveId.slice(0, 20)}`);
    await undoMove(db, by, seq);
    return showModerated(db, move.gif);
  });
}
