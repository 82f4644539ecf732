import { MarksChange, RelayUrl } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import type { AccountContext } from '../context.ts';
import { actorOf } from '../own.ts';
import { readBody } from '../read-body.ts';

/** Registers the routes with which operators see catalogues and members, follow relays, and decide which adult marks count. */
export function registerSources(app: FastifyInstance, context: AccountContext): void {
  const { console } = context;
  app.get('/review/sources', () => console.sources());

  app.get('/review/sources/catalogues', () => console.sharedCatalogues());

  app.get('/review/sources/members', () => console.members());

  app.post('/review/sources/relays', async (request) => {
    const { url } = readBody(request, RelayUrl);
    return console.followRelay((await actorOf(request, context)).by, url);
  });

  app.delete('/review/sources/relays', async (request) => {
    const { url } = readBody(request, RelayUrl);
    return console.leaveRelay((await actorOf(request, context)).by, url);
  });

  app.post('/review/sources/marks', async (request) => {
    const change = readBody(request, MarksChange);
    return console.ignoreMarks((await actorOf(request, context)).by, change);
  });
}
