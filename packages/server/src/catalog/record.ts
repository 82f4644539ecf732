import type { GifFormat } from '@zoetrope/contract';

/** A GIF as the catalogue keeps it. */
export interface GifRecord {
  /** Public id: `<sha256>.gif`, or for a linked GIF what its manifest row says. */
  id: string;
  /** Hash of the original's bytes; null for a linked GIF whose bytes nobody has hashed. */
  sha256: string | null;
  /** Where the original lies when it is not ours to serve (a linked GIF); null when its bytes are in the media folder. */
  url: string | null;
  format: GifFormat;
  width: number;
  height: number;
  frames: number | null;
  durationMs: number | null;
  bytes: number | null;
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
  lqip: string | null;
  /** Who told of this GIF first by name order; decides whose title stands when several tell of the same bytes. */
  toldBy: string;
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

function mergeFacts(known: GifRecord, told: GifRecord) {
  const { sha256, url, format, width, height, frames, durationMs, bytes, lqip } =
    known.url === null && told.url !== null ? known : told;
  return { sha256, url, format, width, height, frames, durationMs, bytes, lqip: lqip ?? known.lqip };
}

function unite(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])];
}
