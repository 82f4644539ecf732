import type { Gif } from './contract.ts';

/** What an imeta tag says of a file. Source of the fields: NIP-92 and NIP-94. */
export interface Imeta {
  url: string;
  /** MIME type. */
  m?: string;
  /** SHA-256 of the file, in hexadecimal. */
  x?: string;
  width?: number;
  height?: number;
  /** Bytes. */
  size?: number;
  alt?: string;
  /** A still picture of it. */
  image?: string;
  /** Further addresses of the same file. */
  fallback: string[];
}

/**
 * The NIP-92 tag of a GIF, for a note whose content has `gif.url` in it, letter by letter. It says only what the service
 * verified: type, size in pixels and length where the file was looked into, the hash where all of it was read.
 */
export function toImeta(gif: Gif): string[] {
  const { url, format, width, height, bytes, title, previews, sha256, verified } = gif;
  const alt = title.replace(/\s+/g, ' ').trim();
  // A service that does not know `verified` promises what it says.
  const file = verified !== false && [`m image/${format}`, `dim ${width}x${height}`, bytes && `size ${bytes}`];
  const fields = [`url ${url}`, file, sha256 && `x ${sha256}`, alt && `alt ${alt}`, `image ${previews.w480.still}`];
  return ['imeta', ...fields.flat().filter((field): field is string => Boolean(field))];
}

/** Reads an imeta tag of any client; null when it is none, or names no address. What it does not know it leaves out. */
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

/** The tags that a note with these GIFs in it needs; a GIF that stands in it twice has one. */
export function noteTags(...gifs: readonly Gif[]): string[][] {
  return [...new Map(gifs.map((gif) => [gif.url, toImeta(gif)])).values()];
}

/** The text of a note with a GIF put at its end, on a line of its own as clients show it best. */
export function withGif(content: string, gif: Gif): string {
  const text = content.trimEnd();
  return text === '' ? gif.url : `${text}\n${gif.url}`;
}
