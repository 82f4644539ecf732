import { OperatorError } from '../base/errors.ts';
import { InputRefusal, type LinkedGif, parseRow, toLinkedGif } from '../ingest/index.ts';
import { originalPath } from '../media/index.ts';
import type { GifRecord } from '../records/index.ts';

/**
 * A line of a part has the fields of a line in an operator's manifest (docs/operate/adding-gifs.md), and the field
 * `verified`.
 */

/** The source of GIFs from relays. Their popularity declines a little every day. */
const RELAYS = 'nostr';

/** The prefix of `toldBy` of all GIFs from followed catalogues. */
const FOLLOWED = 'catalogue:';

/** Returns the name of a followed catalogue in `toldBy`. */
export function tellerOf(url: string): string {
  return FOLLOWED + url;
}

/** Whether a GIF came from a catalogue that this service follows. */
export function isFollowed({ toldBy }: Pick<GifRecord, 'toldBy'>): boolean {
  return toldBy.startsWith(FOLLOWED);
}

/**
 * Returns a GIF as a line, or undefined if followers would refuse the line.
 * @param gif a GIF that is shown
 * @param mediaUrl public base URL of the media
 */
export function writeRow(gif: GifRecord, mediaUrl: string): string | undefined {
  const { id, sha256, url, title, tags, text, alt, lang, source, width, height, frames, bytes, format } = gif;
  const line = JSON.stringify({
    id,
    sha256: url === null ? id.slice(0, 64) : sha256,
    url: url ?? mediaUrl + originalPath(id.slice(0, 64), format),
    ...{ format, width, height, frames, bytes },
    duration: gif.durationMs === null ? null : gif.durationMs / 1_000,
    ...{ title, tags, character: gif.characters, series: gif.series, text, alt, lang },
    // Published GIFs are not adult, but only a source or an operator can state that.
    adult: null,
    ...(source !== RELAYS && gif.popularity > 0 && { popularity: gif.popularity }),
    source,
    fallback: gif.fallback,
    verified: gif.verified !== 'nothing',
  });
  try {
    parseRow(line);
    return line;
  } catch (error) {
    if (error instanceof InputRefusal) return undefined;
    throw error;
  }
}

/**
 * Returns the linked GIF that a line describes. The follower trusts the publisher's facts about the first bytes of the
 * file.
 * @param catalogue URL of the catalogue
 * @throws OperatorError that says what is wrong
 */
export function readRow(line: string, catalogue: string): LinkedGif {
  try {
    const { url, ...row } = parseRow(line);
    if (url === undefined || row.id === undefined || row.file !== undefined) {
      throw new InputRefusal('bad_field', 'id and url are required, and file is not allowed');
    }
    const gif = toLinkedGif({ ...row, url }, tellerOf(catalogue));
    if (gif.id !== row.id) throw new InputRefusal('bad_field', 'id: has characters that are not allowed');
    const isVerified = (JSON.parse(line) as { verified?: unknown }).verified === true;
    const host = new URL(catalogue).host;
    return {
      ...gif,
      verified: isVerified ? 'header' : 'nothing',
      source: (gif.source === '' ? host : `${host}: ${gif.source}`).slice(0, 200),
    };
  } catch (error) {
    if (error instanceof InputRefusal) throw new OperatorError(error.message, { cause: error });
    throw error;
  }
}
