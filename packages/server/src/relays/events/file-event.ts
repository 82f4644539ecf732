import type { FileEvent } from '../../claims/index.ts';
import type { RelayEvent } from '../../platform/relay/index.ts';
import { FILE } from './read-event.ts';

/**
 * Maximum size of a stored event, in bytes. The relay of this service sends up to 200 events for a filter. It disconnects
 * callers who leave 4 MB unread, and nobody must be able to cause that with long events.
 */
const MAX_BYTES = 8 * 1024;
/** Tags of events that only the author may publish (NIP-70), and of events that expire (NIP-40). */
const PRIVATE_TAGS = ['-', 'expiration'];

/** Returns an event about a file for storing, or undefined if the relay of this service must not send it. */
export function toFileEvent(event: RelayEvent): FileEvent | undefined {
  if (event.kind !== FILE || event.tags.some(([name = '']) => PRIVATE_TAGS.includes(name))) return undefined;
  const json = JSON.stringify(event);
  if (Buffer.byteLength(json) > MAX_BYTES) return undefined;
  return { id: event.id, author: event.pubkey, createdAt: event.created_at, event: json };
}
