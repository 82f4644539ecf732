import type { Event } from 'nostr-tools/pure';
import { isPackKind } from '../../base/nostr.ts';

export type RelayEvent = Omit<Event, typeof import('nostr-tools/pure').verifiedSymbol>;

/**
 * Maximum length of a message with an event, in characters. An event about a picture needs a hundredth of this length.
 */
export const MAX_EVENT = 64 * 1024;
const MAX_TAGS = 100;
const MAX_PACK_TAGS = 1_000;
/** Maximum error of a clock, in seconds. */
const MAX_AHEAD = 15 * 60;

const HEX_32 = /^[0-9a-f]{64}$/;
const HEX_64 = /^[0-9a-f]{128}$/;

/** Reason why an event was rejected. */
export type EventRefusal = 'too_long' | 'too_many_tags' | 'malformed' | 'not_asked_for' | 'from_the_future' | 'forged';

/** Parses an event and checks its form, but not its signature. */
export function readEvent(value: unknown): RelayEvent | 'malformed' | 'too_many_tags' {
  if (typeof value !== 'object' || value === null) return 'malformed';
  const { id, pubkey, sig, kind, created_at, content, tags } = value as Record<string, unknown>;
  if (!isHex(id, HEX_32) || !isHex(pubkey, HEX_32) || !isHex(sig, HEX_64)) return 'malformed';
  if (!isCount(kind) || !isCount(created_at) || typeof content !== 'string' || !Array.isArray(tags)) return 'malformed';
  if (tags.length > (isPackKind(kind) ? MAX_PACK_TAGS : MAX_TAGS)) return 'too_many_tags';
  if (!tags.every(isTag)) return 'malformed';
  return { id, pubkey, sig, kind, created_at, content, tags };
}

/** @param now milliseconds since the Unix epoch */
export function isFromTheFuture({ created_at }: RelayEvent, now: number): boolean {
  return created_at > now / 1_000 + MAX_AHEAD;
}

function isHex(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTag(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}
