import { ServiceError } from '../../base/errors.ts';
import { acceptRequest, noteProof, noteProven, type Request } from '../../clients/index.ts';
import { suspendedClientOf } from '../../identifiers/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { By } from '../../registry/index.ts';
import type { AccountContext } from '../context.ts';
import { spend } from '../sign-in/guard.ts';
import { readPubkey } from '../sign-in/npub.ts';
import { ProofError } from './nip05.ts';

/** The NIP-05 name that stands for the domain itself. */
export const DOMAIN_ITSELF = '_';

/** The signed-in user who acts. */
export interface Actor {
  pubkey: string;
  by: By;
}

/**
 * Checks whether the domain of an origin names the user (NIP-05). If the domain names the user, the origin is approved.
 * Otherwise, or if the user has a suspended client, the request waits for an operator, and the reason is stored.
 */
export async function proveOrigin(
  context: AccountContext,
  db: Database,
  { pubkey, by }: Actor,
  { id, value }: Pick<Request, 'id' | 'value'>,
): Promise<void> {
  const suspended = await suspendedClientOf(db, pubkey);
  const reason =
    suspended === undefined
      ? await whyNotProven(context, pubkey, domainOf(value))
      : `your client "${suspended}" is suspended, so an operator reviews this origin`;
  try {
    if (reason !== '') return await noteProof(db, by, id, reason);
    await acceptRequest(db, by, 'origin', id);
    await noteProven(db, value, by.now);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // In the meantime, the user may have withdrawn the request, or another client may have registered the origin. If
    // the request still exists, the reason is saved.
    await noteProof(db, by, id, error.message);
  }
}

/** Returns the domain that verifies an origin: the origin's host, or the domain of its wildcard. */
export function domainOf(origin: string): string {
  return new URL(origin.replace('*.', '')).hostname;
}

/**
 * Returns the reason why the domain does not verify the user, or an empty string if the domain lists the public key.
 */
export async function whyNotProven(context: AccountContext, pubkey: string, domain: string): Promise<string> {
  try {
    spend(context, 'proof', pubkey);
    const named = await context.askDomain(domain, DOMAIN_ITSELF);
    return named === pubkey ? '' : `${domain} names a public key under ${DOMAIN_ITSELF} that is not yours`;
  } catch (error) {
    if (error instanceof ProofError || error instanceof ServiceError) return error.message;
    throw error;
  }
}

/**
 * Returns the hexadecimal public key of a person. The person is given as an npub, in hexadecimal, or as a NIP-05 name.
 * NIP-05 names are looked up.
 * @throws ServiceError `validation`, or `rate_limited` after too many look-ups
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
    throw new ServiceError('validation', 'who must be an npub, a hexadecimal public key or a NIP-05 name');
  spend(context, 'proof', pubkey);
  try {
    return await context.askDomain(domain, name);
  } catch (error) {
    if (error instanceof ProofError) throw new ServiceError('validation', `who: ${error.message}`);
    throw error;
  }
}
