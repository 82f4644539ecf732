import { BuildName, Span } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import { Value } from 'typebox/value';
import { ServiceError } from '../../base/errors.ts';
import { listHandovers, listReviews } from '../../clients/index.ts';
import { countQueues } from '../../moderation/index.ts';
import type { AccountContext } from '../context.ts';
import { actorOf } from '../own.ts';
import { readBody } from '../read-body.ts';

/** Registers the routes that show operators the state of the whole service. */
export function registerConsole(app: FastifyInstance, context: AccountContext): void {
  const { registry, catalogue, console } = context;
  app.get('/review/waiting', async () => {
    const { reported, doubtful, withheld, uploaded } = await countQueues(await catalogue());
    const db = await registry();
    const clients = (await listReviews(db)).length;
    return { gifs: reported + doubtful + withheld + uploaded, clients, handovers: (await listHandovers(db)).length };
  });
  app.get('/review/overview', () => console.overview());
  app.get('/review/health', () => console.health());
  app.get('/review/history', async ({ url }) => {
    const span = new URL(url, 'http://here').searchParams.get('span') ?? 'day';
    if (!Value.Check(Span, span)) throw new ServiceError('validation', 'span must be day or month');
    return console.history(span);
  });
  app.get('/review/builds', () => console.builds());
  app.post('/review/builds/hold', async (request) => {
    const { build } = readBody(request, BuildName);
    return console.holdBuild((await actorOf(request, context)).by, build);
  });
  app.post('/review/builds/release', async (request) => console.releaseBuild((await actorOf(request, context)).by));
  app.get('/review/backups', () => console.backups());
  app.post('/review/backups', async (request) => console.makeBackup((await actorOf(request, context)).by));
  app.get('/review/settings', () => console.settings());
  app.get('/review/languages', () => console.languages());
  app.delete<{ Params: { name: string } }>('/review/languages/:name', ({ params }) =>
    console.removeDictionary(params.name),
  );
  app.post<{ Params: { name: string } }>('/review/models/:name', async (request) =>
    console.pullModel((await actorOf(request, context)).by, request.params.name),
  );
  app.delete<{ Params: { name: string } }>('/review/models/:name', async (request) =>
    console.removeModel((await actorOf(request, context)).by, request.params.name),
  );
}
