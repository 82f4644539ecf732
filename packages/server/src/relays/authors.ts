import { createHash } from 'node:crypto';
import { decode } from 'nostr-tools/nip19';
import { OperatorError } from '../base/errors.ts';
import type { RelayEvent } from '../platform/relay/index.ts';
import type { RelayConfig } from './config.ts';

/** Event kind of follow lists (NIP-02). */
export const FOLLOWS = 3;

/**
 * Maximum number of authors in a filter. If there are more, the relay sends the events of all its authors, and this
 * service filters them.
 */
const MAX_NAMED = 500;
const HEX_32 = /^[0-9a-f]{64}$/;

/** The authors whose events are accepted. */
export interface Authors {
  /** Name that identifies the set. Equal sets have equal names. */
  readonly name: string;
  allows(pubkey: string): boolean;
  /**
   * Returns whether the operator listed this person. With some settings, also returns true if a listed person follows
   * this person.
   */
  isNamed(pubkey: string): boolean;
  /** All authors, if there are few enough for a filter. Otherwise undefined. */
  readonly named: readonly string[] | undefined;
}

/**
 * Returns the public keys that the operator listed, in hexadecimal.
 * @throws OperatorError if a key is invalid, or if the list is needed but empty
 */
export function listedPubkeys({ pubkeys, authors }: RelayConfig): string[] {
  const keys = pubkeys.split(',').flatMap((text) => (text.trim() === '' ? [] : [readKey(text.trim())]));
  if (keys.length > 0 || authors === 'open') return keys;
  throw new OperatorError(
    `ZOETROPE_RELAY_AUTHORS is ${authors}, but ZOETROPE_RELAY_PUBKEYS is empty, so nothing would be ingested`,
  );
}

function readKey(key: string): string {
  const pubkey = readPubkey(key);
  if (pubkey !== undefined) return pubkey;
  throw new OperatorError(`ZOETROPE_RELAY_PUBKEYS: ${key} is not a valid npub: its checksum is wrong`);
}

/** Returns the hexadecimal public key from an npub or a hexadecimal string, or undefined for anything else. */
export function readPubkey(text: string): string | undefined {
  if (HEX_32.test(text)) return text;
  try {
    const { type, data } = decode(text);
    return type === 'npub' ? data : undefined;
  } catch {
    return undefined; // not a valid npub
  }
}

/** Returns the authors whose events are accepted. @param follows the latest follow list of each listed key */
export function authorsOf(config: RelayConfig, follows: readonly RelayEvent[]): Authors {
  const allowed = new Set(listedPubkeys(config));
  const isNamed = (pubkey: string) => allowed.has(pubkey);
  if (config.authors === 'open') return { name: 'open', allows: () => true, isNamed, named: undefined };
  const followed = config.authors === 'followed' ? follows.flatMap(followedBy) : [];
  for (const pubkey of followed) allowed.add(pubkey);
  const sorted = [...allowed].toSorted();
  const name = createHash('sha256').update(sorted.join()).digest('hex').slice(0, 16);
  return {
    name,
    allows: isNamed,
    isNamed,
    named: sorted.length <= MAX_NAMED ? sorted : undefined,
  };
}

/**
 * Returns the latest list of each person. If two lists were created in the same second, the list whose id sorts first
 * is used (NIP-01).
 */
export function newestLists(events: readonly RelayEvent[]): RelayEvent[] {
  const newest = new Map<string, RelayEvent>();
  for (const event of events) {
    const known = newest.get(event.pubkey);
    if (known === undefined || isNewer(event, known)) newest.set(event.pubkey, event);
  }
  return [...newest.values()];
}

function isNewer(event: RelayEvent, known: RelayEvent): boolean {
  return event.created_at === known.created_at ? event.id < known.id : event.created_at > known.created_at;
}

function followedBy({ tags }: RelayEvent): string[] {
  return tags.flatMap(([name, value]) => (name === 'p' && value !== undefined && HEX_32.test(value) ? [value] : []));
}
