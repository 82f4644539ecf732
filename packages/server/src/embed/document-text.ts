/** The metadata from which a GIF's vector is made. */
export interface DescribedGif {
  readonly title: string;
  /** Alt text. */
  readonly alt: string;
  readonly tags: readonly string[];
  readonly characters: readonly string[];
  readonly series: readonly string[];
  /** Text in the picture. */
  readonly text: string;
}

/** Maximum length of the text. Longer texts take more time, but add no information about a GIF. */
const MAX_CHARACTERS = 300;
/** Maximum number of tags. Tags are unsorted, and a hundred tags would outweigh the title. */
const MAX_NAMES = 12;

/**
 * Returns the text from which a GIF's vector is made. Sentences come first, because models were trained on sentences.
 * Names that add a word follow. The text in the picture comes last, because it is often unrelated to the subject. The
 * text is empty if the GIF has no metadata.
 */
export function documentText(gif: DescribedGif): string {
  const said = new Set<string>();
  const isNew = (text: string): boolean => {
    const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    const adds = words.some((word) => !said.has(word));
    for (const word of words) said.add(word);
    return adds;
  };
  const sentences = [gif.title, gif.alt].filter(isNew);
  const names = [...gif.characters, ...gif.series, ...gif.tags].filter(isNew).slice(0, MAX_NAMES);
  const parts = [...sentences, names.join(' '), gif.text].map((part) => part.trim().replace(/\s+/g, ' '));
  const kept = parts.filter((part, i) => part !== '' && (i < parts.length - 1 || isNew(part)));
  return kept.join('. ').slice(0, MAX_CHARACTERS).toWellFormed();
}
