import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { Answers } from '../cached-route.ts';
import type { HttpContext } from '../context.ts';
import { limitLikePage } from '../hooks/page-limit.ts';
import { registerTurns, type Turns } from '../turns.ts';
import { registerSearch } from './search.ts';
import { registerSimilar } from './similar.ts';
import { registerSuggest } from './suggest.ts';

/** The client for requests from the service's own pages. These requests count as requests of the development client. */
const PAGES = { id: 'development', name: 'Pages of this service', isDevelopment: true };

/**
 * Registers the operations for the service's own pages, below /try. Browsers send no Origin header to the page's own
 * origin, so the API could not identify these pages. Here the header Sec-Fetch-Site identifies the pages. Pages cannot
 * change that header, but other programs can forge it. These routes are not part of the API. They have the limits of
 * the service's own pages instead of the limits of a client, because otherwise a few visitors could use up the budget
 * of all visitors.
 */
export function registerTry(app: FastifyInstance, context: HttpContext, answers: Answers, turns: Turns): void {
  app.register(
    (pages, _, done) => {
      pages.decorateRequest('client', null);
      pages.addHook('onRequest', (request, _, done) => {
        if (request.headers['sec-fetch-site'] !== 'same-origin') {
          throw new ServiceError(
            'client_not_registered',
            'This URL is only for the pages of this service. The API is at /api/v1',
          );
        }
        request.client = PAGES;
        limitLikePage(request, context);
        done();
      });
      registerTurns(pages, turns);
      const own = { ...context, limit: () => undefined };
      registerSearch(pages, own, answers);
      registerSuggest(pages, own, answers);
      registerSimilar(pages, own, answers);
      pages.get('/.well-known/gif-search.json', (_, reply) => {
        const { name, url } = context.operator;
        return reply.send({ attribution: { text: `GIFs from ${name}`, name, url } });
      });
      done();
    },
    { prefix: '/try' },
  );
}
