import { MarksChange, RelayUrl } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import type { AccountContext } from '../context.ts';
import { readBody } from '../read-body.ts';

/** Registers the routes with which operators follow relays, and decide which adult marks count. */
export function registerSources(app: FastifyInstance, { console }: AccountContext): void {
  app.get('/review/sources', () => console.sources());

  app.post('/review/sources/relays', async (request) => console.followRelay(readBody(request, RelayUrl).url));

  app.delete('/review/sources/relays', async (request) => console.leaveRelay(readBody(request, RelayUrl).url));

  app.post('/review/sources/marks', async (request) => console.ignoreMarks(readBody(request, MarksChange)));
}
