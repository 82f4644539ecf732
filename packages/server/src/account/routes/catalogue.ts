import { CatalogueQuery, GifsAct, UndoMoves } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { actOnGifs, explainGif, showCatalogue, undoMany } from '../console/catalogue.ts';
import type { AccountContext } from '../context.ts';
import { actorOf } from '../own.ts';
import { readBody, readQuery } from '../read-body.ts';

const Sought = Type.Object({ q: Type.String({ minLength: 1, maxLength: 2_000 }) });

/** Registers the routes with which operators look through the catalogue and change several GIFs. */
export function registerCatalogue(app: FastifyInstance, context: AccountContext): void {
  const { catalogue } = context;
  app.get('/review/catalogue', async (request) =>
    showCatalogue(await catalogue(), readQuery(request, CatalogueQuery), context),
  );

  app.get('/review/catalogue/why', async (request) =>
    explainGif(await catalogue(), readQuery(request, Sought).q, context),
  );

  app.post('/review/moves/many', async (request) => {
    const given = readBody(request, GifsAct);
    const { by } = await actorOf(request, context);
    return actOnGifs(await catalogue(), by, given);
  });

  app.post('/review/moves/undo', async (request) => {
    const { moves } = readBody(request, UndoMoves);
    const { by } = await actorOf(request, context);
    return undoMany(await catalogue(), by, moves);
  });
}
