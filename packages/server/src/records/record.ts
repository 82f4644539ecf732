import type { GifFormat } from '@zoetrope/contract';

/**
 * The part of a GIF's file that was read. nothing: no part. header: the first bytes, which contain width, height and
 * format. file: the whole file, so hash and size are known, too.
 */
export type Verified = 'nothing' | 'header' | 'file';

/** Levels of verification, in ascending order. */
export const LEVELS: readonly Verified[] = ['nothing', 'header', 'file'];

/** The part of a record about the file and its place. */
export interface GifFile {
  /** Hash of the original's bytes, as verified or as claimed by the source. Null if unknown. */
  sha256: string | null;
  /** The part of the file that was read. All other facts about the file are claims of the GIF's source. */
  verified: Verified;
  /** URL of a linked GIF's original. Null if the bytes are in the media store. */
  url: string | null;
  format: GifFormat;
  width: number;
  height: number;
  frames: number | null;
  durationMs: number | null;
  bytes: number | null;
  lqip: string | null;
  /**
   * Whether a frame with transparent pixels was decoded. Absent if no such frame was found, or no frame was decoded.
   */
  transparent?: boolean | undefined;
  /** Whether the first frame was decoded and is blank. */
  blankStill?: boolean | undefined;
}

/** The facts from a source about a GIF that cannot be read from the GIF's bytes. */
export interface GifWords {
  title: string;
  tags: string[];
  characters: string[];
  series: string[];
  /** Text in the picture. */
  text: string;
  /** Alt text. */
  alt: string;
  lang: string;
  adult: boolean;
  popularity: number;
  source: string;
  /** Other URLs that serve the same bytes. */
  fallback: string[];
  /**
   * Name of the record's source. If several sources have the same bytes, this is the name of the source from which
   * fields with a single value come.
   */
  toldBy: string;
}

/** A GIF in the catalogue. Tables, builds and manifests derive their types from this type. */
export interface GifRecord extends GifFile, GifWords {
  /** Public id: `<sha256>.gif`, or for a linked GIF the id in its manifest. */
  id: string;
}

/**
 * Joins the records of two sources for one GIF. The order of the sources does not matter. Fields with a single value
 * come from the source whose name sorts first. Lists are merged. `adult` and `popularity` only increase. If a source
 * sends a record again, the new record replaces its earlier one. Facts about a file that the operator added override
 * facts about a linked file.
 */
export function mergeRecords(known: GifRecord, reported: GifRecord): GifRecord {
  const words = known.toldBy === reported.toldBy ? reported : mergeWords(known, reported);
  return { ...words, ...mergeFacts(known, reported) };
}

function mergeWords(known: GifRecord, reported: GifRecord): GifRecord {
  const [first, second] = known.toldBy < reported.toldBy ? [known, reported] : [reported, known];
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

function mergeFacts(known: GifRecord, reported: GifRecord): GifFile {
  const facts = factsOf(known.url === null && reported.url !== null ? known : reported);
  return { ...facts, lqip: facts.lqip ?? known.lqip };
}

function factsOf(record: GifRecord): GifFile {
  const { sha256, verified, url, format, width, height, frames, durationMs, bytes } = record;
  const { lqip, transparent, blankStill } = record;
  return {
    ...{ sha256, verified, url, format, width, height, frames, durationMs, bytes },
    ...{ lqip, transparent, blankStill },
  };
}

/** Keeps facts that are already verified if less is verified in a new record of the same file. */
export function keepVerified(record: GifRecord, known: GifRecord): GifRecord {
  const isSameFile = record.url !== null && record.url === known.url;
  const isBetterKnown = LEVELS.indexOf(known.verified) > LEVELS.indexOf(record.verified);
  return isSameFile && isBetterKnown ? { ...record, ...factsOf(known) } : record;
}

function unite(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])];
}
