import { type Look, parseLook } from '../draw/look.ts';
import { motions } from '../draw/motions.ts';

/** One GIF of the starter catalogue. */
export interface Entry {
  readonly title: string;
  /** File name without its extension, made from the title. */
  readonly name: string;
  /** Pictures shown one after the other in the loop. There is usually only one picture. */
  readonly heroes: readonly string[];
  readonly motion: string;
  readonly effects: readonly { readonly name: string; readonly argument: string | undefined }[];
  /** Lines of the caption. If there are two, the first line is at the top and the second at the bottom. */
  readonly caption: readonly string[];
  readonly look: Look;
  readonly tags: readonly string[];
  readonly popularity: number;
}

/**
 * Reads a table with one GIF per line:
 *   `title | picture > picture | motion + effect:argument | CAPTION / SECOND LINE | size ground pattern | tag, tag | popularity`
 * Empty lines and lines starting with `#` are skipped. If a line is invalid, the function throws an error whose message
 * quotes the line.
 */
export function parseTable(table: string): Entry[] {
  const lines = table.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseLine);
}

function parseLine(line: string): Entry {
  try {
    const columns = line.split('|').map((column) => column.trim());
    if (columns.length !== 7) throw new Error(`has ${columns.length} columns, not 7`);
    const [title, pictures, moves, caption, look, tags, popularity] = columns as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const [motion = '', ...effects] = moves.split('+').map((part) => part.trim());
    if (!motions[motion]) throw new Error(`no motion is called "${motion}"`);
    return {
      title,
      name: fileName(title),
      heroes: pictures.split('>').map((picture) => picture.trim()),
      motion,
      effects: effects.map(parseEffect),
      caption: caption === '' ? [] : caption.split(' / '),
      look: parseLook(look),
      tags: tags.split(',').map((tag) => tag.trim()),
      popularity: Number(popularity),
    };
  } catch (error) {
    throw new Error(`starter line "${line}": ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Parses an effect. `rain:red-heart` is the effect "rain" with red hearts. The argument can contain a colon, as in
 * `rain:dot:#fff`.
 */
function parseEffect(text: string): Entry['effects'][number] {
  const colon = text.indexOf(':');
  return colon < 0
    ? { name: text, argument: undefined }
    : { name: text.slice(0, colon), argument: text.slice(colon + 1) };
}

function fileName(title: string): string {
  return title
    .normalize('NFD')
    .toLowerCase()
    .replace(/['’\p{M}]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
