import type { EventTemplate } from './blossom.ts';
import type { Gif } from './contract.ts';

/** Kind of a set of emoji. Source: NIP-51. */
const EMOJI_SET = 30_030;
/** Maximum number of GIFs, because relays accept events of about 64 kB. */
const MAX_GIFS = 300;
const MAX_SHORTCODE = 32;
const SHORTCODE = /^[A-Za-z0-9_-]+$/;

/** What an emoji pack needs of a GIF. */
export type EmojiGif = Pick<Gif, 'url' | 'title'> & { previews: Pick<Gif['previews'], 'small'> };

export interface EmojiPackOptions<Item extends EmojiGif = EmojiGif> {
  /** Name of the pack among those of its author. A pack replaces the author's earlier pack with the same identifier. */
  identifier: string;
  title: string;
  /**
   * Returns the shortcode of a GIF: letters from A to Z, digits, `_` and `-`. By default, it is made from the title.
   */
  shortcode?: (gif: Item) => string;
  /** Returns the URL of a GIF. By default, it is the small preview, an animated WebP of at most 96 px in height. */
  url?: (gif: Item) => string;
  /** Returns the time in milliseconds, for tests. Default: `Date.now`. */
  now?: () => number;
}

/**
 * Returns an emoji pack (NIP-30, kind 30030) with these GIFs, as an event that the user's signer signs. If two GIFs have
 * the same shortcode, the later one gets a number: `dance_2`.
 * @throws TypeError if there are no GIFs, more than 300, no identifier or title, or a wrong shortcode
 */
export function toEmojiPack<Item extends EmojiGif>(
  gifs: readonly Item[],
  options: EmojiPackOptions<Item>,
): EventTemplate {
  const { identifier, title, shortcode = shortcodeOf, url = smallUrlOf, now = Date.now } = options;
  if (gifs.length === 0 || gifs.length > MAX_GIFS) {
    throw new TypeError(`gifs: a pack has 1 to ${MAX_GIFS} GIFs, not ${gifs.length}`);
  }
  if (identifier === '' || title === '') throw new TypeError('identifier and title must not be empty');
  const taken = new Set<string>();
  const emoji = gifs.map((gif) => ['emoji', untaken(shortcode(gif), taken), url(gif)]);
  return {
    kind: EMOJI_SET,
    created_at: Math.floor(now() / 1_000),
    tags: [['d', identifier], ['title', title], ...emoji],
    content: '',
  };
}

/** Makes a shortcode from words. Titles without letters from A to Z, for example Japanese ones, become `gif`. */
function shortcodeOf({ title }: EmojiGif): string {
  const plain = title.normalize('NFKD').replace(/\p{M}+/gu, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? ['gif'];
  let code = words[0]!.slice(0, MAX_SHORTCODE);
  for (const word of words.slice(1)) {
    if (code.length + 1 + word.length > MAX_SHORTCODE) break;
    code += `_${word}`;
  }
  return code;
}

function smallUrlOf({ url, previews }: EmojiGif): string {
  return previews.small.animated ?? url;
}

function untaken(code: string, taken: Set<string>): string {
  if (!SHORTCODE.test(code)) {
    throw new TypeError(`shortcode: ${JSON.stringify(code)} has characters other than letters, digits, _ and -`);
  }
  let free = code;
  for (let n = 2; taken.has(free); n++) free = `${code}_${n}`;
  taken.add(free);
  return free;
}
