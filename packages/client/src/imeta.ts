import type { Gif } from './contract.ts';

/** The fields of an imeta tag. Source: NIP-92 and NIP-94. */
export interface Imeta {
  url: string;
  /** MIME type. */
  m?: string;
  /** SHA-256 of the file, in hexadecimal. */
  x?: string;
  width?: number;
  height?: number;
  /** Size in bytes. */
  size?: number;
  alt?: string;
  /** URL of a still image. */
  image?: string;
  /** Further URLs of the same file. */
  fallback: string[];
}

/**
 * Returns the NIP-92 tag of a GIF, for a note whose content contains exactly `gif.url`. It includes only the fields
 * that the service has verified: type, dimensions and duration if the service has read the file's header, and the hash
 * if it has read the whole file.
 */
export function toImeta(gif: Gif): string[] {
  const { url, format, width, height, bytes, title, previews, sha256, verified } = gif;
  const alt = title.replace(/\s+/g, ' ').trim();
  // If the service sends no `verified` field, it has verified all fields.
  const file = verified !== false && [`m image/${format}`, `dim ${width}x${height}`, bytes && `size ${bytes}`];
  const fields = [`url ${url}`, file, sha256 && `x ${sha256}`, alt && `alt ${alt}`, `image ${previews.w480.still}`];
  return ['imeta', ...fields.flat().filter((field): field is string => Boolean(field))];
}

/**
 * Reads an imeta tag written by any client. Returns null if the tag is not an imeta tag or has no URL. Ignores unknown
 * fields.
 */
export function fromImeta(tag: readonly string[]): Imeta | null {
  if (tag[0] !== 'imeta') return null;
  const fields = tag.slice(1).map((field) => /^(\S+) (.*)$/s.exec(field) ?? []);
  const all = (name: string): string[] => fields.flatMap(([, key, value]) => (key === name && value ? [value] : []));
  const [url] = all('url');
  if (url === undefined) return null;
  const imeta: Imeta = { url, fallback: all('fallback') };
  for (const name of ['m', 'x', 'alt', 'image'] as const) {
    const [value] = all(name);
    if (value !== undefined) imeta[name] = value;
  }
  const [, width, height] = /^(\d+)x(\d+)$/.exec(all('dim')[0] ?? '') ?? [];
  if (width && height) Object.assign(imeta, { width: Number(width), height: Number(height) });
  const size = Number(all('size')[0] ?? Number.NaN);
  if (Number.isInteger(size)) imeta.size = size;
  return imeta;
}

/** Returns the tags for a note with these GIFs, without duplicates. */
export function noteTags(...gifs: readonly Gif[]): string[][] {
  return [...new Map(gifs.map((gif) => [gif.url, toImeta(gif)])).values()];
}

/** Returns the text of a note with a GIF's URL added as the last line, where clients display it best. */
export function withGif(content: string, gif: Gif): string {
  const text = content.trimEnd();
  return text === '' ? gif.url : `${text}\n${gif.url}`;
}
