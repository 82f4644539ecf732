import type { AuditTrail } from '@zoetrope/contract/account';
import type { Static } from 'typebox';
import { searchAudit } from '../clients/index.ts';
import type { Database } from '../platform/db/index.ts';
import { readPubkey, toNpub } from './sign-in/npub.ts';

/** Number of entries per page. */
const PAGE = 50;

/**
 * Returns the audit entries of one client or of all clients, latest first. The actor can be a public key, as an npub or
 * in hexadecimal.
 */
export async function showAudit(
  db: Database,
  { actor, ...wanted }: Omit<Parameters<typeof searchAudit>[1], 'limit'>,
): Promise<Static<typeof AuditTrail>> {
  const pubkey = actor === '' ? null : await readPubkey(actor);
  const called = pubkey === null ? actor : await toNpub(pubkey);
  const found = await searchAudit(db, { ...wanted, actor: called, limit: PAGE + 1 });
  return {
    entries: found.slice(0, PAGE).map(({ revision, clientName, ...entry }) => {
      return { id: revision, ...entry, clientName: clientName ?? '' };
    }),
    hasMore: found.length > PAGE,
  };
}
