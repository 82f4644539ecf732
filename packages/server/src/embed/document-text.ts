/** What is told of a GIF, as it was told. */
export interface DescribedGif {
  readonly title: string;
  /** Description for people who do not see it. */
  readonly alt: string;
  readonly tags: readonly string[];
  readonly characters: readonly string[];
  readonly series: readonly string[];
  /** Words in the picture. */
  readonly text: string;
}

/** Longer texts say no more of a GIF, and cost time in proportion. */
const MAX_CHARACTERS = 300;
/** Lists of tags are sorted by nothing; the hundredth says little and would drown the title. */
const MAX_NAMES = 12;

/**
 * What a GIF's vector is made of: sentences first, because that is what the models were trained on, then the names
 * that add a word to them, then the words in the picture, which are often off the subject. Empty when nothing is told.
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
