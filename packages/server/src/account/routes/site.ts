import type { Site } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { AccountContext } from '../context.ts';
import { attributionOf, termsOf } from '../terms.ts';

/** Registers the route with the data that the dashboard shows to everyone. */
export function registerSite(app: FastifyInstance, context: AccountContext): void {
  const { publicUrl, operator, admins, signerRelays, isCached, payments } = context;
  app.get('/site', async () => {
    const fee = payments.fee();
    return {
      apiBase: publicUrl,
      operator,
      attribution: attributionOf(operator),
      terms: termsOf(operator, fee.sats),
      fee,
      relays: [...signerRelays],
      cached: isCached,
      reviewed: admins.size > 0,
    } satisfies Static<typeof Site>;
  });
}
