import { readWebAddress } from '../../base/web-address.ts';
import type { RelayEvent } from '../../platform/relay/index.ts';
import { cleanTags } from './words.ts';

/* Reads the tags that events of several kinds have. */

export const HEX_32: RegExp = /^[0-9a-f]{64}$/;
/** Types of files that can be GIFs. */
export const TYPES: ReadonlySet<string> = new Set(['image/gif', 'image/webp']);
const ADULT_TOPIC = /^(?:NS-nud|nudity|porn|nsfw|sexual)/i;

/** Returns the part of an event's content that applies to all its GIFs. */
export function aboutEvent({ id, pubkey, created_at, content, tags }: RelayEvent) {
  const topics = allOf(tags, 't');
  return {
    eventId: id,
    part: 0,
    author: pubkey,
    createdAt: created_at,
    lang: languageOf(tags),
    tags: cleanTags(topics),
    adult: isAdult(tags, content),
  };
}

/** Returns whether an event is marked as adult, through NIP-36, NIP-32 or a word in its text. */
function isAdult(tags: readonly string[][], content: string): boolean {
  return (
    /(?:^|\s)#nsfw\b/i.test(content) ||
    tags.some(([name, value = '', namespace]) => {
      if (name === 'content-warning') return true;
      if (name === 't') return value.toLowerCase() === 'nsfw';
      return name === 'l' && (namespace === 'content-warning' || ADULT_TOPIC.test(value));
    })
  );
}

function languageOf(tags: readonly string[][]): string {
  const label = tags.find(([name, , namespace]) => name === 'l' && namespace === 'ISO-639-1');
  return /^[a-z]{2}$/i.test(label?.[1] ?? '') ? label![1]!.toLowerCase() : '';
}

/** Returns the canonical form of an https URL, or undefined if it is refused. */
export function readAddress(text: string): string | undefined {
  const read = readWebAddress(text, ['https']);
  return 'url' in read ? read.url : undefined;
}

export function firstOf(tags: readonly string[][], wanted: string): string | undefined {
  return tags.find(([name, value]) => name === wanted && value !== undefined && value !== '')?.[1];
}

export function allOf(tags: readonly string[][], wanted: string): string[] {
  return tags.flatMap(([name, value]) => (name === wanted && value ? [value] : []));
}
