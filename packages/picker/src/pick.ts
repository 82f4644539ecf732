import { type Gif, toImeta } from '@zoetrope/client';

/** A picked GIF, ready for a note. */
export interface GifPick {
  gif: Gif;
  /** The NIP-92 tag for the note. */
  imeta: string[];
  /** The text for the note, which is the URL exactly as in the tag. */
  text: string;
  /** A description for people who do not see the GIF: the user's own description, or the title. It can be empty. */
  alt: string;
}

/** @param alt the user's own description, or an empty string */
export function pickOf(gif: Gif, alt: string): GifPick {
  const title = alt || gif.title;
  return { gif, imeta: toImeta({ ...gif, title }), text: gif.url, alt: title };
}
