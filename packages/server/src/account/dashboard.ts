import { ACCOUNT_BASE } from '@zoetrope/contract/account';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../base/errors.ts';
import { registerBlossom } from './blossom/routes.ts';
import type { AccountContext } from './context.ts';
import { registerFiles } from './files.ts';
import { takeBodies } from './read-body.ts';
import { registerAccount, registerNotices } from './routes/account.ts';
import { registerAuth } from './routes/auth.ts';
import { registerClientValues } from './routes/client-values.ts';
import { registerClients } from './routes/clients.ts';
import { registerHandovers } from './routes/handovers.ts';
import { registerInvitations } from './routes/invitations.ts';
import { registerInvoices } from './routes/invoices.ts';
import { registerReview } from './routes/review.ts';
import { registerSite } from './routes/site.ts';
import { registerUploads } from './routes/uploads.ts';
import { refuseForeign, requireSession } from './sign-in/guard.ts';

/**
 * Registers the routes for the dashboard's files, for its API (ACCOUNT_ROUTES of the contract) and for members'
 * uploads. The API has its own rules.
 */
export function registerDashboard(app: FastifyInstance, context: AccountContext): void {
  app.decorateRequest('session', null);
  registerFiles(app, context);
  if (context.members.pubkeys.size > 0) within(app, '', (blossom) => registerBlossom(blossom, context));
  const open = (api: FastifyInstance) => {
    takeBodies(api);
    api.addHook('onRequest', async (_, reply) => {
      reply.headers({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
      });
    });
    refuseForeign(api, context);
    api.setNotFoundHandler(refuseUnknown);
    // Without this route, the response would be the page of the dashboard.
    api.get('/*', refuseUnknown);
    registerSite(api, context);
    within(api, '', (auth) => registerAuth(auth, context));
    within(api, '', (signedIn) => {
      requireSession(signedIn, context);
      registerAccount(signedIn, context);
      registerNotices(signedIn, context);
      registerClients(signedIn, context);
      registerClientValues(signedIn, context);
      registerInvoices(signedIn, context);
      registerInvitations(signedIn, context);
      registerHandovers(signedIn, context);
      within(signedIn, '', (uploads) => registerUploads(uploads, context));
      within(signedIn, '', (review) => registerReview(review, context));
    });
  };
  within(app, ACCOUNT_BASE, open);
}

function refuseUnknown(request: FastifyRequest): never {
  throw new ServiceError('not_found', `Not found: ${request.url.split('?')[0]!.slice(0, 200)}`);
}

/** Adds routes whose hooks apply only to these routes. */
function within(app: FastifyInstance, prefix: string, add: (app: FastifyInstance) => void): void {
  const plugin = (inner: FastifyInstance, _: object, done: () => void) => {
    add(inner);
    done();
  };
  app.register(plugin, { prefix });
}
