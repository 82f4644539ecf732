import { isPackKind } from '../../base/nostr.ts';
import type { PackVersion } from '../../claims/index.ts';
import { wordsOfName } from '../../ingest/index.ts';
import type { RelayEvent } from '../../platform/relay/index.ts';
import type { Said, SaidNothing, Saying } from './said.ts';
import { aboutEvent, firstOf, HEX_32, readAddress, TYPES } from './tags.ts';
import { cleanAlt, cleanTags, titleOf } from './words.ts';

/*
 * Parses packs of emoji (NIP-30, NIP-51) and of stickers (a draft, nips#2430). Each animated picture is a GIF, whose
 * shortcode and pack name are tags.
 */

/** Maximum number of pictures of a pack that are read. */
const MAX_IN_PACK = 500;
/** Maximum length of the part of a pack's address that its author chooses. */
const MAX_IDENTIFIER = 200;
/** The tag `t` that marks the format of sticker packs. It says nothing about the pictures. */
const FORMAT = /^sonar-sticker-pack/i;
const ANIMATED = /\.(?:gif|webp)(?:[?#]|$)/i;
const ADDRESS = /^(\d+):([0-9a-f]{64}):(.*)$/s;
/** An identifier that a program generated, and that does not describe the pack. */
const MADE_UP = /[0-9a-f]{8}/i;

/** A picture of a pack. */
interface Picture {
  shortcode: string;
  address: string;
  hash: string | undefined;
  type: string | undefined;
  alt: string;
  adult: boolean;
}

/**
 * Returns the version of a pack that an event replaces or deletes, or undefined if the address is not that of a pack of
 * the event's author. A later version replaces an earlier one, and a deletion is like an empty version.
 */
export function ownPack({ id, pubkey, created_at }: RelayEvent, address: string): PackVersion | undefined {
  const [, kind, author, identifier] = ADDRESS.exec(address) ?? [];
  if (kind === undefined || author !== pubkey || !isPackKind(Number(kind))) return undefined;
  const short = `${kind}:${author}:${identifier!.slice(0, MAX_IDENTIFIER)}`;
  return { address: short, eventId: id, author: pubkey, createdAt: created_at };
}

/** Returns the GIFs of a pack, and why its other pictures are skipped. */
export function readPack(event: RelayEvent): Pick<Said, 'claims' | 'packs' | 'skipped'> {
  const { kind, pubkey, tags } = event;
  const about = aboutEvent(event);
  const topics = about.tags.filter((topic) => !FORMAT.test(topic));
  const name = nameOf(tags);
  const pictures = picturesOf(tags);
  const read = pictures.slice(0, MAX_IN_PACK).map((picture) => readPicture(picture, { ...about, tags: topics }, name));
  const claims = read.filter((saying) => typeof saying !== 'string').map((claim, part) => ({ ...claim, part }));
  const skipped = read.filter((saying) => typeof saying === 'string');
  return {
    claims,
    packs: [ownPack(event, `${kind}:${pubkey}:${firstOf(tags, 'd') ?? ''}`)!],
    skipped: [...skipped, ...pictures.slice(MAX_IN_PACK).map((): SaidNothing => 'pack_too_long')],
  };
}

/**
 * Returns the pictures, each once. Sticker packs list their stickers again as emoji, for apps that support only emoji.
 */
function picturesOf(tags: readonly string[][]): Picture[] {
  const stickers = tags.filter(([name]) => name === 'sticker');
  const emoji = tags.filter(([name]) => name === 'emoji').map(([name, shortcode, url]) => [name, shortcode, url]);
  const byAddress = new Map<string, Picture>();
  for (const [, shortcode = '', address = '', hash, type, , alt = '', ...others] of [...stickers, ...emoji]) {
    if (byAddress.has(address)) continue;
    const adult = [hash, type, alt, ...others].includes('nsfw');
    byAddress.set(address, { shortcode, address, hash: hash || undefined, type: type || undefined, alt, adult });
  }
  return [...byAddress.values()];
}

function readPicture(
  { shortcode, address, hash, type, alt, adult }: Picture,
  about: ReturnType<typeof aboutEvent>,
  pack: string,
): Saying | SaidNothing {
  const url = readAddress(address);
  if (url === undefined) return 'not_https';
  const isKnownType = type?.includes('/') ?? false;
  if (isKnownType ? !TYPES.has(type!.toLowerCase()) : !ANIMATED.test(address)) return 'other_type';
  const sha256 = hash?.toLowerCase();
  if (isKnownType && sha256 !== undefined && !HEX_32.test(sha256)) return 'bad_hash';
  const words = wordsOfName(shortcode);
  return {
    ...about,
    bare: false,
    urls: [url],
    hashes: sha256 !== undefined && HEX_32.test(sha256) ? [sha256] : [],
    ...titleOf({ words: [alt === 'nsfw' ? '' : alt], context: words, url }),
    alt: alt === 'nsfw' ? '' : cleanAlt(alt),
    tags: cleanTags([words, pack, ...about.tags]),
    adult: about.adult || adult,
  };
}

function nameOf(tags: readonly string[][]): string {
  const given = firstOf(tags, 'title') ?? firstOf(tags, 'name');
  const identifier = firstOf(tags, 'd') ?? '';
  return given ?? (MADE_UP.test(identifier) ? '' : wordsOfName(identifier));
}
