import { ServiceError } from '../../base/errors.ts';
import type { Database } from '../../platform/db/index.ts';
import { approveRequest, type By, noteProof, noteProven, type Request } from '../../registry/index.ts';
import type { AccountContext } from '../context.ts';
import { spend } from '../sign-in/guard.ts';
import { readPubkey } from '../sign-in/npub.ts';
import { ProofError } from './nip05.ts';

/** The name that stands for the domain itself. */
export const DOMAIN_ITSELF = '_';

/** Somebody who is signed in and does something. */
export interface Actor {
  pubkey: string;
  by: By;
}

/**
 * Asks the domain of an origin whether it names who asks for it (NIP-05), and approves the origin if so. If not, the
 * request waits for an operator, with the reason.
 */
export async function proveOrigin(
  context: AccountContext,
  db: Database,
  { pubkey, by }: Actor,
  { id, value }: Pick<Request, 'id' | 'value'>,
): Promise<void> {
  const reason = await whyNotProven(context, pubkey, domainOf(value));
  try {
    if (reason !== '') return await noteProof(db, by, id, reason);
    await approveRequest(db, by, 'origin', id);
    await noteProven(db, value, by.now);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Withdrawn meanwhile, or somebody else got the origin: a request that is still there says so.
    await noteProof(db, by, id, error.message);
  }
}

/** The domain that may prove an origin: its host, or what all its hosts lie below. */
export function domainOf(origin: string): string {
  return new URL(origin.replace('*.', '')).hostname;
}

/** Empty when the domain names the pubkey. */
async function whyNotProven(context: AccountContext, pubkey: string, domain: string): Promise<string> {
  try {
    spend(context, 'proof', pubkey);
    const named = await context.askDomain(domain, DOMAIN_ITSELF);
    return named === pubkey ? '' : `${domain} names another public key under ${DOMAIN_ITSELF}, not yours`;
  } catch (error) {
    if (error instanceof ProofError || error instanceof ServiceError) return error.message;
    throw error;
  }
}

/**
 * The public key of somebody, by npub, in hexadecimal, or by a NIP-05 name, whose domain is asked.
 * @throws ServiceError `validation`, or `rate_limited` for too many questions to domains
 */
export async function readPerson(
  context: AccountContext,
  { pubkey }: Pick<Actor, 'pubkey'>,
  who: string,
): Promise<string> {
  const known = await readPubkey(who);
  if (known !== null) return known;
  const [name, domain] = who.includes('@')
    ? (who.trim().toLowerCase().split('@', 2) as [string, string])
    : [DOMAIN_ITSELF, who.trim().toLowerCase()];
  if (!domain.includes('.'))
    throw new ServiceError('validation', 'who must be an npub, a pubkey in hexadecimal, or a NIP-05 name');
  spend(context, 'proof', pubkey);
  try {
    return await context.askDomain(domain, name);
  } catch (error) {
    if (error instanceof ProofError) throw new ServiceError('validation', `who: ${error.message}`);
    throw error;
  }
}
