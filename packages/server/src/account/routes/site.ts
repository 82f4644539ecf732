import type { Site } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { AccountContext } from '../context.ts';
import { toNpub } from '../sign-in/npub.ts';
import { hasOperators } from '../sign-in/operators.ts';
import { attributionOf, termsOf } from '../terms.ts';

/** Registers the route with the data that the dashboard shows to everyone. */
export function registerSite(app: FastifyInstance, context: AccountContext): void {
  const { publicUrl, operator, nostrKey, signerRelays, isCached, payments, console } = context;
  app.get('/site', async ({ raw }) => {
    const fee = payments.fee();
    const reviewed = await isReviewed(context);
    return {
      apiBase: publicUrl,
      operator,
      attribution: attributionOf(operator),
      terms: termsOf(operator, fee.sats),
      fee,
      relays: [...signerRelays],
      messenger: nostrKey === '' ? '' : await messengerOf(nostrKey),
      cached: isCached,
      reviewed,
      claimable: !reviewed && context.isLocal(raw) && (await console.canBeClaimed()),
    } satisfies Static<typeof Site>;
  });
}

/** Returns the npub that signs messages. Loads the libraries for Nostr only in services that send messages. */
async function messengerOf(nostrKey: string): Promise<string> {
  const { senderOf } = await import('../../messenger/index.ts');
  return toNpub(senderOf(nostrKey));
}

async function isReviewed({ admins, registry }: AccountContext): Promise<boolean> {
  if (admins.size > 0) return true;
  // While the registry cannot be read, the page must still appear. Signing in reports the error.
  return registry()
    .then(hasOperators)
    .catch(() => false);
}
