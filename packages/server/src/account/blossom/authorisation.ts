import { ServiceError } from '../../base/errors.ts';
import type { Authorisation } from '../console/console.ts';
import { type Event, isSigned } from '../sign-in/signed-event.ts';

/** Kind of an authorisation for Blossom servers. Source: BUD-11. */
const KIND = 24_242;
/** Clients encode the event as base64 or base64url. */
const HEADER = /^Nostr ([\w+/=-]{1,8192})$/;
const HASH = /^[0-9a-f]{64}$/;
/** Maximum number of seconds by which a signer's clock can be ahead. */
const AHEAD_S = 60;
/** Maximum time for which an authorisation can be valid. The service stores used authorisations until they expire. */
const MAX_VALID_S = 7 * 86_400;

/** Actions that an authorisation can allow. */
export type Action = 'upload' | 'list' | 'delete';

/** The action, the host and the time of a request that uses an authorisation. */
interface Use {
  action: Action;
  /** Host names of this service. */
  hosts: readonly string[];
  /** Milliseconds since the Unix epoch. */
  now: number;
}

/**
 * Returns the public key that signed an Authorization header (BUD-11), and the authorisation in the header.
 * @throws ServiceError `not_signed_in` if there is no authorisation, or `login_refused` that names the failed check
 */
export async function readAuthorisation(
  header: string | undefined,
  use: Use,
): Promise<{ pubkey: string; authorisation: Authorisation }> {
  const event = decode(header);
  if (event['kind'] !== KIND) throw refuse(`must be an event of kind ${KIND}`);
  const tags = readTags(event);
  const values = (name: string) => tags.filter((tag) => tag[0] === name).map((tag) => tag[1] ?? '');
  if (!values('t').includes(use.action)) {
    throw refuse(`is for another action: it needs a t tag with the value ${use.action}`);
  }
  const expiresAt = readTimes(event, values('expiration'), Math.floor(use.now / 1_000));
  const servers = values('server').map(hostOf);
  if (servers.length > 0 && !servers.some((server) => use.hosts.includes(server))) {
    throw refuse(`is for another server: it needs a server tag with the value ${use.hosts[0]}, or none`);
  }
  const hashes = values('x').filter((hash) => HASH.test(hash));
  if (hashes.length === 0 && use.action !== 'list')
    throw refuse('is for no file: it needs an x tag with the SHA-256 of the file');
  if (!(await isSigned(event))) throw refuse('has a wrong id or signature');
  const authorisation = { id: String(event['id']), expiresAt: expiresAt * 1_000, hashes };
  return { pubkey: String(event['pubkey']), authorisation };
}

function refuse(problem: string): ServiceError {
  return new ServiceError('login_refused', `The authorisation ${problem}`);
}

function decode(header: string | undefined): Event {
  if (header === undefined) {
    throw new ServiceError(
      'not_signed_in',
      'Authorization is missing: it must be `Nostr` and a signed event in base64',
    );
  }
  const encoded = HEADER.exec(header)?.[1];
  try {
    const event: unknown = JSON.parse(Buffer.from(encoded ?? '', 'base64').toString());
    if (typeof event === 'object' && event !== null) return event as Event;
  } catch {} // the error below describes the expected header
  throw refuse('must be `Nostr` and a signed event as JSON in base64, at most 8 KiB');
}

function readTags({ tags }: Event): string[][] {
  const isTag = (tag: unknown) => Array.isArray(tag) && tag.every((part) => typeof part === 'string');
  if (Array.isArray(tags) && tags.every(isTag)) return tags;
  throw refuse('must have tags that are lists of strings');
}

/** Returns the time at which the event expires, in seconds. */
function readTimes({ created_at: createdAt }: Event, expirations: readonly string[], now: number): number {
  if (!Number.isInteger(createdAt) || Number(createdAt) > now + AHEAD_S) {
    throw refuse('was signed in the future; check the clock of the signer');
  }
  const [expiration = ''] = expirations;
  if (!/^\d{1,12}$/.test(expiration)) throw refuse('must have an expiration tag with a time in seconds');
  if (Number(expiration) <= now) throw refuse('has expired; sign a new one');
  if (Number(expiration) > now + MAX_VALID_S) throw refuse('is valid for too long: at most 7 days');
  return Number(expiration);
}

/** Returns the host name in a server tag. Some clients write a URL. */
function hostOf(server: string): string {
  return (URL.parse(server.includes('://') ? server : `https://${server}`)?.hostname ?? server).toLowerCase();
}
