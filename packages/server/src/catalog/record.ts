import type { GifFormat } from '@zoetrope/contract';

/**
 * What of a GIF was read from its file: nothing; its first bytes, so width, height and format; or all of it, so its hash
 * and length too.
 */
export type Verified = 'nothing' | 'header' | 'file';

/** From the least to the most. */
export const LEVELS: readonly Verified[] = ['nothing', 'header', 'file'];

/** What a record says of the file, and where it is. */
export interface GifFile {
  /** Hash of the original's bytes, verified or as its source claims; null for a linked GIF without either. */
  sha256: string | null;
  /** What was read from the file itself; the rest is what its source claims. */
  verified: Verified;
  /** Where the original lies when it is not ours to serve (a linked GIF); null when its bytes are in the media folder. */
  url: string | null;
  format: GifFormat;
  width: number;
  height: number;
  frames: number | null;
  durationMs: number | null;
  bytes: number | null;
  lqip: string | null;
}

/** What somebody says of a GIF: all of it but what only its bytes can tell. */
export interface GifWords {
  title: string;
  tags: string[];
  characters: string[];
  series: string[];
  /** Words in the picture. */
  text: string;
  /** Description for people who do not see it. */
  alt: string;
  lang: string;
  adult: boolean;
  popularity: number;
  source: string;
  /** Further addresses of the same bytes. */
  fallback: string[];
  /** Who told of this GIF first by name order; decides whose title stands when several tell of the same bytes. */
  toldBy: string;
}

/** A GIF as the catalogue keeps it. Tables, builds and manifests derive their types from this one. */
export interface GifRecord extends GifFile, GifWords {
  /** Public id: `<sha256>.gif`, or for a linked GIF what its manifest row says. */
  id: string;
}

/**
 * Joins what two tellers say of one GIF, so that the result does not depend on who came first. Of the words, the
 * teller whose name sorts first decides the single values and lists are united; adult and popularity only rise.
 * A teller that speaks again replaces what it said. What the bytes say comes from whoever has the bytes.
 */
export function mergeRecords(known: GifRecord, told: GifRecord): GifRecord {
  const words = known.toldBy === told.toldBy ? told : mergeWords(known, told);
  return { ...words, ...mergeFacts(known, told) };
}

function mergeWords(known: GifRecord, told: GifRecord): GifRecord {
  const [first, second] = known.toldBy < told.toldBy ? [known, told] : [told, known];
  return {
    ...first,
    title: first.title || second.title,
    text: first.text || second.text,
    alt: first.alt || second.alt,
    lang: first.lang || second.lang,
    tags: unite(first.tags, second.tags),
    characters: unite(first.characters, second.characters),
    series: unite(first.series, second.series),
    fallback: unite(first.fallback, second.fallback),
    adult: first.adult || second.adult,
    popularity: Math.max(first.popularity, second.popularity),
  };
}

function mergeFacts(known: GifRecord, told: GifRecord): GifFile {
  const facts = factsOf(known.url === null && told.url !== null ? known : told);
  return { ...facts, lqip: facts.lqip ?? known.lqip };
}

function factsOf(record: GifRecord): GifFile {
  const { sha256, verified, url, format, width, height, frames, durationMs, bytes, lqip } = record;
  return { sha256, verified, url, format, width, height, frames, durationMs, bytes, lqip };
}

/** A record that claims less of a file than is verified of it keeps what is verified. */
export function keepVerified(record: GifRecord, known: GifRecord): GifRecord {
  const isSameFile = record.url !== null && record.url === known.url;
  const isBetterKnown = LEVELS.indexOf(known.verified) > LEVELS.indexOf(record.verified);
  return isSameFile && isBetterKnown ? { ...record, ...factsOf(known) } : record;
}

function unite(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])];
}
