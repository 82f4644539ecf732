/**
 * Maximum number of characters (code points) of a query that are searched. Further characters are ignored. Source: the
 * API contract, parameter `q`.
 */
const MAX_QUERY_CHARACTERS = 100;

const ASCII = /^\p{ASCII}*$/u;
const BLANK = /[\s\p{Cc}\u200B]+/gu;
const BIDI_CONTROL = /\p{Bidi_Control}+/gu;
/** The lower case of `İ` is an `i` with another dot, which nobody types. Source: Unicode, SpecialCasing.txt. */
const DOTTED_I = /i\u0307+/gu;
/**
 * Matches the text between emoji. NFKC is applied only to this text, because it would turn some emoji into letters (‼
 * to !!, ℹ to i, 🈁 to ココ).
 */
const AROUND_PICTURES = /\P{Extended_Pictographic}+/gu;
/**
 * Splits text into graphemes. Rules for graphemes, unlike those for words, come only from Unicode and need no
 * dictionary. Therefore the result is the same on all machines. Created only when a query is too long for the first
 * time, because creating it takes a twentieth of the time in which a command starts.
 */
let graphemes: Intl.Segmenter | undefined;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/**
 * Returns the form in which all texts are compared: NFKC (except emoji), lower case by Unicode's rules regardless of
 * locale (but `İ` becomes `i`), one space instead of any run of blanks and control characters, no direction marks, no
 * lone surrogates. Accepts any string, and is idempotent.
 */
export function normalise(text: string): string {
  const clean = isAscii(text) ? text.toLowerCase() : composeAndLower(text);
  return clean.replace(BLANK, ' ').trim();
}

function composeAndLower(text: string): string {
  return text
    .toWellFormed()
    .replace(BIDI_CONTROL, '')
    .replace(AROUND_PICTURES, (run) => run.normalize('NFKC').toLowerCase().replace(DOTTED_I, 'i').normalize('NFKC'));
}

/**
 * Returns the form in which a query is searched, returned and cached: its normal form, cut after at most 100 characters
 * (code points). The cut is at the end of a grapheme, so that no emoji or accented letter is split. This function is
 * idempotent.
 */
export function normaliseQuery(query: string): string {
  const text = normalise(query);
  return text.length <= MAX_QUERY_CHARACTERS ? text : firstCharacters(text).trimEnd();
}

function firstCharacters(text: string): string {
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  let characters = 0;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    characters += [...segment].length;
    if (characters > MAX_QUERY_CHARACTERS) break;
    end = index + segment.length;
  }
  // If the first grapheme has more than 100 marks, it is cut anyway, because an empty query would be worse.
  return end > 0 ? text.slice(0, end) : [...text].slice(0, MAX_QUERY_CHARACTERS).join('');
}
