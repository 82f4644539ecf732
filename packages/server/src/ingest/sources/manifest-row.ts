import { createHash } from 'node:crypto';
import path from 'node:path';
import { ID_PATTERN } from '@zoetrope/contract';
import { decodeHTMLStrict } from 'entities';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { oneLine, withoutControls } from '../../base/plain-text.ts';
import { once } from '../../base/remember.ts';
import { readWebAddress } from '../../base/web-address.ts';
import type { GifWords } from '../../records/index.ts';
import { type Candidate, InputRefusal, type LinkedGif } from '../candidate.ts';

const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const Words = Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 }));
const Pixels = Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 }));
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Link = Type.String();

/** One line of a manifest. Unknown fields are ignored. A field with the value null counts as absent. */
const ManifestRow = Type.Object({
  id: Type.Optional(Type.String()),
  file: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  url: Type.Optional(Link),
  title: Text(1_000),
  tags: Words,
  character: Words,
  series: Words,
  text: Text(5_000),
  alt: Text(5_000),
  lang: Text(35),
  adult: Type.Optional(Type.Boolean()),
  popularity: Type.Optional(Type.Number({ minimum: 0, maximum: 1e15 })),
  source: Text(200),
  sha256: Type.Optional(Hash),
  width: Pixels,
  height: Pixels,
  frames: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  duration: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000 })),
  bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  format: Type.Optional(Type.Union([Type.Literal('gif'), Type.Literal('webp')])),
  fallback: Type.Optional(Type.Array(Link, { maxItems: 20 })),
});
type ManifestRow = Static<typeof ManifestRow> & {
  /** The URL as it is written in the manifest. It identifies the row. */
  written?: string | undefined;
};

/** The schema is compiled on first use, because few processes read manifests. */
const checker = once(() => Compile(ManifestRow));
const id = new RegExp(ID_PATTERN);

/** Tile size for linked GIFs of unknown size. */
const USUAL_SIZE = { width: 480, height: 270 };

/**
 * Parses one line of a manifest.
 * @throws InputRefusal that names the field and the error
 */
export function parseRow(line: string): ManifestRow {
  let value: unknown;
  try {
    value = JSON.parse(line, (_, item) => (item === null ? undefined : item));
  } catch {
    throw new InputRefusal('not_json', 'the line is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputRefusal('not_an_object', 'the line is not a JSON object; a manifest has one object on each line');
  }
  if (!checker().Check(value)) {
    const [error] = checker().Errors(value);
    const field = error?.instancePath.replace(/^\//, '').replaceAll('/', '.') || 'line';
    throw new InputRefusal('bad_field', `${field}: ${error?.message ?? 'does not fit'}`);
  }
  if (value.file === undefined && value.url === undefined) {
    throw new InputRefusal('no_source', 'file or url is required');
  }
  return {
    ...value,
    ...(value.url !== undefined && { url: readLink('url', value.url) }),
    // In lists, null items have become holes. `flatMap` leaves out holes.
    ...(value.fallback && { fallback: value.fallback.flatMap((link, n) => readLink(`fallback.${n}`, link)) }),
    written: value.url,
  };
}

/** Returns the canonical form of a URL. @throws InputRefusal */
function readLink(field: string, text: string): string {
  const read = readWebAddress(text);
  if ('refused' in read) throw new InputRefusal('bad_field', `${field}: ${read.refused}`);
  return read.url;
}

/**
 * Returns a row's metadata about its GIF, as plain text. HTML entities are decoded, because rows from web pages often
 * contain them. An entity without a semicolon is not changed, because of text such as "AT&T". The row's manifest and
 * its file, id or URL identify the row. All other fields of the row can change.
 */
function wordsOf(row: ManifestRow, manifest: string): GifWords {
  return {
    title: oneLine(decodeHTMLStrict(row.title ?? '')),
    tags: oneLineEach(row.tags),
    characters: oneLineEach(row.character),
    series: oneLineEach(row.series),
    text: withoutControls(decodeHTMLStrict(row.text ?? '')),
    alt: withoutControls(decodeHTMLStrict(row.alt ?? '')),
    lang: row.lang ?? '',
    adult: row.adult ?? false,
    popularity: row.popularity ?? 0,
    source: row.source ?? '',
    fallback: row.fallback ?? [],
    toldBy: `${manifest}#${row.file ?? row.id ?? row.written}`,
  };
}

function oneLineEach(words: readonly string[] = []): string[] {
  return words.map((word) => oneLine(decodeHTMLStrict(word))).filter((word) => word !== '');
}

/** Returns the row's file as a candidate. @throws InputRefusal if the file's path leaves the manifest's folder */
export function toCandidate(row: ManifestRow & { file: string }, manifest: string): Candidate {
  const folder = path.dirname(manifest);
  const file = path.resolve(folder, row.file);
  if (!file.startsWith(folder + path.sep)) {
    throw new InputRefusal('bad_field', "file: must stay inside the manifest's folder");
  }
  return {
    path: file,
    within: folder,
    previews: 'all',
    told: wordsOf(row, manifest),
    declared: row.adult !== undefined,
  };
}

/** Returns the row as a linked GIF. */
export function toLinkedGif(row: ManifestRow & { url: string }, manifest: string): LinkedGif {
  const sized = row.width !== undefined && row.height !== undefined;
  return {
    ...wordsOf(row, manifest),
    id: linkedId(row),
    sha256: row.sha256 ?? null,
    verified: 'nothing',
    url: row.url,
    format: row.format ?? (/\.webp(?:[?#]|$)/i.test(row.url) ? 'webp' : 'gif'),
    width: sized ? row.width! : USUAL_SIZE.width,
    height: sized ? row.height! : USUAL_SIZE.height,
    frames: row.frames ?? null,
    durationMs: row.duration === undefined ? null : Math.round(row.duration * 1000),
    bytes: row.bytes ?? null,
    lqip: null,
  };
}

function linkedId(row: ManifestRow & { url: string }): string {
  if (row.id !== undefined && id.test(row.id)) return row.id;
  return `${
    row.sha256 ??
    createHash('sha256')
      .update(row.written ?? row.url)
      .digest('hex')
  }.gif`;
}
