import { isPackKind, REPORT_TYPES } from '../../base/nostr.ts';
import { cutTo } from '../../base/plain-text.ts';
import { type RelayEvent, readEvent } from '../../platform/relay/index.ts';
import { ownPack, readPack } from './read-pack.ts';
import type { ReadReport, ReadVote, Said, SaidNothing, Saying } from './said.ts';
import { aboutEvent, allOf, firstOf, HEX_32, readAddress, TYPES } from './tags.ts';
import { cleanAlt, type Title, titleOf } from './words.ts';

/*
 * Parses the statements of events about GIFs, according to NIP-94, NIP-92, NIP-68, NIP-22, NIP-09, NIP-25, NIP-57 and
 * NIP-56. `read-pack.ts` parses packs.
 */

export const FILE = 1063;
export const CLIP = 1090;
export const NOTE = 1;
export const PICTURE = 20;
export const COMMENT = 1111;
export const DELETION = 5;
export const REACTION = 7;
export const ZAP = 9735;
export const REPORT = 1984;

/** Maximum number of GIFs per note, because clients show no more. */
const MAX_PARTS = 16;
const MAX_BARE = 64;
const MAX_MIRRORS = 4;
/** Maximum weight of a zap, because even a large zap is only one person's opinion. */
const MAX_ZAP = 3;

/** Matches characters that separate URLs in a text. */
const BETWEEN_ADDRESSES = /[\s"'<>]+/;
/** Returns an event's content, or the reason why the event is ignored. Does not check its signature. */
export function readSaid(event: RelayEvent): Said | SaidNothing {
  const said: Said = { claims: [], withdrawals: [], votes: [], reports: [], packs: [], skipped: [] };
  if (isPackKind(event.kind)) return { ...said, ...readPack(event) };
  if (event.kind === DELETION) Object.assign(said, deletionOf(event));
  else if (event.kind === REACTION) said.votes = reactionOf(event);
  else if (event.kind === ZAP) said.votes = zapOf(event);
  else if (event.kind === REPORT) said.reports = reportOf(event);
  else {
    const files = event.kind === FILE ? [event.tags] : filesOfNote(event);
    const read = files.map((fields) => readFile(event, fields));
    said.claims = [...read.filter((saying) => typeof saying !== 'string'), ...bareAddresses(event, read)];
    said.claims = said.claims.slice(0, MAX_PARTS).map((claim, part) => ({ ...claim, part }));
    const reason = read.find((saying) => typeof saying === 'string');
    if (said.claims.length === 0 && reason) return reason;
  }
  const isEmpty = Object.values(said).every((values) => values.length === 0);
  return isEmpty ? 'no_gif' : said;
}

/** Returns the fields of each `imeta` tag, in the form of event tags. */
function filesOfNote({ tags }: RelayEvent): string[][][] {
  const metas = tags.filter(([name]) => name === 'imeta').slice(0, MAX_PARTS);
  return metas.map(([, ...fields]) =>
    fields.map((field) => {
      const space = field.indexOf(' ');
      return space < 0 ? [field, ''] : [field.slice(0, space), field.slice(space + 1)];
    }),
  );
}

function readFile(event: RelayEvent, fields: readonly string[][]): Saying | SaidNothing {
  const type = firstOf(fields, 'm')?.toLowerCase();
  const address = firstOf(fields, 'url') ?? '';
  if (type === undefined ? !/\.gif(?:[?#]|$)/i.test(address) : !TYPES.has(type)) return 'other_type';
  const url = readAddress(address);
  if (url === undefined) return 'not_https';
  const isInText = event.kind === NOTE || event.kind === COMMENT;
  if (isInText && !event.content.includes(address)) return 'no_gif';
  const hashes = ['x', 'ox'].flatMap((name) => firstOf(fields, name)?.toLowerCase() ?? []);
  if (!hashes.every((hash) => HEX_32.test(hash))) return 'bad_hash';
  const mirrors = allOf(fields, 'fallback').flatMap((mirror) => readAddress(mirror) ?? []);
  return {
    ...aboutEvent(event),
    bare: false,
    urls: [...new Set([url, ...mirrors])].slice(0, 1 + MAX_MIRRORS),
    hashes: [...new Set(hashes)],
    ...titleOfFile(event, fields, url),
    alt: cleanAlt(firstOf(fields, 'alt') ?? ''),
  };
}

function titleOfFile({ kind, tags, content }: RelayEvent, fields: readonly string[][], url: string): Title {
  const own = ['title', 'summary', 'alt'].map((name) => firstOf(fields, name) ?? '');
  if (kind === FILE) return titleOf({ words: [own[0]!, content, own[1]!, own[2]!], context: '', url });
  const words = kind === PICTURE || kind === CLIP ? [...own, firstOf(tags, 'title') ?? ''] : own;
  return titleOf({ words, context: content, url });
}

/** Returns the URLs in a note that have no `imeta` tag. */
function bareAddresses(event: RelayEvent, read: readonly (Saying | SaidNothing)[]): Saying[] {
  if (event.kind !== NOTE) return [];
  const known = new Set(read.flatMap((saying) => (typeof saying === 'string' ? [] : saying.urls)));
  const found = gifAddresses(event.content)
    .slice(0, MAX_BARE)
    .flatMap((address) => readAddress(address) ?? []);
  return [...new Set(found)]
    .filter((url) => !known.has(url))
    .map((url) => ({
      ...aboutEvent(event),
      bare: true,
      urls: [url],
      hashes: [],
      ...titleOf({ words: [], context: event.content, url }),
      alt: '',
    }));
}

/**
 * Returns the URLs in a text that end in `.gif`. It must run in linear time, because it runs before the signature is
 * checked. A single regular expression would compare every `https://` of a long text with the whole text after it.
 */
export function gifAddresses(text: string): string[] {
  return text.split(BETWEEN_ADDRESSES).flatMap(addressesIn);
}

function addressesIn(part: string): string[] {
  const start = /\bhttps:\/\//gi;
  const end = /\.gif(?=$|[?#)\],.!])/gi;
  const found: string[] = [];
  for (let first = start.exec(part); first !== null; first = start.exec(part)) {
    end.lastIndex = start.lastIndex + 1;
    if (end.exec(part) === null) break;
    found.push(part.slice(first.index, end.lastIndex));
    start.lastIndex = end.lastIndex;
  }
  return found;
}

function deletionOf(event: RelayEvent): Pick<Said, 'withdrawals' | 'packs'> {
  const { pubkey, tags } = event;
  const ids = allOf(tags, 'e').filter((id) => HEX_32.test(id));
  const withdrawals = [...new Set(ids)].map((eventId) => ({ eventId, author: pubkey }));
  return { withdrawals, packs: [...new Set(allOf(tags, 'a'))].flatMap((address) => ownPack(event, address) ?? []) };
}

/** Reads a reaction as a vote. Every reaction counts, except the two that mean dislike. */
function reactionOf({ id, pubkey, created_at, content, tags }: RelayEvent): ReadVote[] {
  const target = allOf(tags, 'e').at(-1);
  if (target === undefined || !HEX_32.test(target) || content === '-' || content === '👎') return [];
  return [{ eventId: id, target, author: pubkey, createdAt: created_at, weight: 1 }];
}

/** Reads a zap as a vote of the signer of the zap's request. */
function zapOf({ id, created_at, tags }: RelayEvent): ReadVote[] {
  const proof = requestOf(firstOf(tags, 'description') ?? '');
  const target = firstOf(tags, 'e');
  if (proof === undefined || target === undefined || !HEX_32.test(target) || !allOf(proof.tags, 'e').includes(target))
    return [];
  const sats = Number(firstOf(proof.tags, 'amount') ?? 0) / 1_000;
  if (!(sats >= 1)) return [];
  const weight = Math.min(MAX_ZAP, Math.log10(1 + sats));
  return [{ eventId: id, target, author: proof.pubkey, createdAt: created_at, weight, proof }];
}

const MAX_MESSAGE = 2_000;

/** Reads reports about files by hash, or about events with claims. Reports that are only about people are ignored. */
function reportOf({ id, pubkey, content, tags }: RelayEvent): ReadReport[] {
  const about = tags
    .filter(([name, value = '']) => (name === 'x' || name === 'e') && HEX_32.test(value))
    .slice(0, MAX_PARTS);
  if (about.length === 0) return [];
  const type = about.find(([, , type]) => type)?.[2] ?? '';
  return [
    {
      eventId: id,
      author: pubkey,
      hashes: about.flatMap(([name, hash]) => (name === 'x' ? [hash!] : [])),
      events: about.flatMap(([name, event]) => (name === 'e' ? [event!] : [])),
      reason: REPORT_TYPES[type] ?? 'other',
      message: cutTo(content, MAX_MESSAGE),
    },
  ];
}

function requestOf(description: string): RelayEvent | undefined {
  try {
    const event = readEvent(JSON.parse(description));
    return typeof event === 'string' || event.kind !== 9734 ? undefined : event;
  } catch {
    return undefined; // not JSON
  }
}
