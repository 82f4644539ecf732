import type { Line } from './reading.ts';

/** Minimum confidence of a line that is in only one frame (SURE), and of a line that is in several frames. */
const SURE = 0.9;
const LIKELY = 0.75;
/** Minimum number of letters of a line. Shorter lines are usually patterns in the picture, and not text. */
const MIN_LETTERS = 3;
/** Maximum number of characters of a caption. Longer text is not a caption. */
const MAX_CHARACTERS = 300;
/** Matches the watermarks of sites. */
const ADDRESS = /\.(com|net|org|io|tv|me|co|gg)\b|^@|https?:/i;

/**
 * Returns the caption of a GIF from the text that was read in some of its frames. The caption consists of the credible
 * lines in order, each only once. It is empty if no line is credible.
 */
export function captionOf(frames: readonly (readonly Line[])[]): string {
  const said: { key: string; line: Line; frames: Set<number> }[] = [];
  for (const [frame, lines] of frames.entries()) {
    for (const line of lines) {
      if (!isLine(line)) continue;
      const key = keyOf(line.text);
      const same = said.find((other) => isSame(other.key, key));
      if (same === undefined) said.push({ key, line, frames: new Set([frame]) });
      else {
        same.frames.add(frame);
        if (line.mean > same.line.mean) Object.assign(same, { key, line });
      }
    }
  }
  const believed = said.filter(({ line, frames }) => line.mean >= SURE || frames.size > 1);
  const text = believed.map(({ line }) => line.text.trim().replace(/\s+/g, ' ')).join(' ');
  return text.slice(0, MAX_CHARACTERS).toWellFormed();
}

function isLine({ text, mean }: Line): boolean {
  if (mean < LIKELY || ADDRESS.test(text.trim())) return false;
  return (text.match(/\p{Script=Han}|\p{L}/gu) ?? []).length >= MIN_LETTERS;
}

/**
 * Returns only the letters and digits of a line, because the spaces and punctuation that were read vary between frames.
 */
function keyOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns whether two readings show the same line, which means that at most one letter in six differs. */
function isSame(a: string, b: string): boolean {
  const most = Math.floor(Math.max(a.length, b.length) / 6);
  return Math.abs(a.length - b.length) <= most && distance(a, b) <= most;
}

/** Returns the number of letters to insert, delete or change to get from one text to the other (Levenshtein 1966). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
