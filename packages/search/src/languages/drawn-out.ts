const DRAWN_OUT_LETTER = /(\p{L})\1{2,}/gu;
const REPEATED = /^((?:\p{L}{2}))\1{2,}\p{L}?$/u;

/** Reduces repeated letters and syllables: "nooooo" to "noo" and "no", "jajajajaja" to "jaja". */
export function calmed(word: string): string[] {
  const repeated = REPEATED.exec(word)?.[1];
  if (repeated !== undefined) return [repeated + repeated];
  const once = word.replace(DRAWN_OUT_LETTER, '$1');
  return once === word ? [] : [once, word.replace(DRAWN_OUT_LETTER, '$1$1')];
}
