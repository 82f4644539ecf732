import { createHash } from 'node:crypto';
import { decode } from 'nostr-tools/nip19';
import { OperatorError } from '../base/errors.ts';
import type { RelayEvent } from '../platform/relay/index.ts';
import type { RelayConfig } from './config.ts';

/** What people follow (NIP-02). */
export const FOLLOWS = 3;

/** More authors than this are not asked for by name: the relay gives all, and the others are left out here. */
const MAX_NAMED = 500;
const HEX_32 = /^[0-9a-f]{64}$/;

/** Whose events are taken. */
export interface Authors {
  /** Names the set: of two that take the same it is the same. */
  readonly name: string;
  allows(pubkey: string): boolean;
  /** Whether the operator named this person, or, where that decides, follows a list that does. */
  isNamed(pubkey: string): boolean;
  /** All of them, where they are few enough to be asked for. */
  readonly named: readonly string[] | undefined;
}

/**
 * The public keys that the operator named, in hexadecimal.
 * @throws OperatorError when one is misspelt, or none is named although it would decide
 */
export function listedPubkeys({ pubkeys, authors }: RelayConfig): string[] {
  const keys = pubkeys.split(',').flatMap((text) => (text.trim() === '' ? [] : [readKey(text.trim())]));
  if (keys.length > 0 || authors === 'open') return keys;
  throw new OperatorError(
    `ZOETROPE_RELAY_AUTHORS is ${authors}, and ZOETROPE_RELAY_PUBKEYS names nobody: nothing would be taken`,
  );
}

function readKey(key: string): string {
  const pubkey = readPubkey(key);
  if (pubkey !== undefined) return pubkey;
  throw new OperatorError(`ZOETROPE_RELAY_PUBKEYS: ${key} is misspelt, its checksum is wrong`);
}

/** A public key in hexadecimal, of that or of an npub; undefined for anything else. */
export function readPubkey(text: string): string | undefined {
  if (HEX_32.test(text)) return text;
  try {
    const { type, data } = decode(text);
    return type === 'npub' ? data : undefined;
  } catch {
    return undefined; // a wrong checksum, or no key at all
  }
}

/** @param follows the newest list of each listed key */
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

/** Of lists of the same person the newest; of two of one second the one whose id sorts first, as NIP-01 has it. */
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
