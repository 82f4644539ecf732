import { decodeHTMLStrict } from 'entities';
import { oneLine } from '../../base/plain-text.ts';

const ENDINGS = /(?:\.(?:gif|webp))+$/i;
const UUIDS = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;
const SEPARATORS = /[\s_\-+.~]+/;
/** Matches hashes and long numbers. Such words do not describe a picture. */
const HASH = /^(?:[0-9a-f]{16,}|\d{9,})$/i;
/** Minimum length of an id with letters and digits. YouTube's ids have 11 characters, and GIPHY's ids have more. */
const ID_LENGTH = 11;
/** Matches the parts of an identifier that people write: a word, an abbreviation or a number. */
const PARTS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\d+/gu;
/**
 * A name whose parts have a lower average length is an id. Names that people write (`HappyNewYear2024`) have longer
 * parts. The parts of random ids have less than two characters on average.
 */
const SHORT_PART = 2.5;

/**
 * Returns the words in a file or folder name. For example, `highFive_party-7.gif` and `high%20Five%20party%207.gif.gif`
 * become "high Five party 7". Words that are only an id are omitted. The result is empty if the name has no other words,
 * or is a number.
 */
export function wordsOfName(name: string): string {
  const bare = decodeHTMLStrict(decodeEscapes(name)).replace(ENDINGS, '').normalize('NFC').replace(UUIDS, ' ');
  if (/^\d+$/.test(bare)) return '';
  const words = bare.split(SEPARATORS).filter((word) => !isId(word));
  return oneLine(words.join(' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}

/**
 * Decodes percent-encoded characters, as in names of downloaded files. A `%` that does not encode a character stays.
 */
function decodeEscapes(name: string): string {
  return name.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes; // not UTF-8
    }
  });
}

function isId(word: string): boolean {
  if (HASH.test(word)) return true;
  if (word.length < ID_LENGTH || !/^[0-9a-z]+$/i.test(word) || !/\d/.test(word) || !/[a-z]/i.test(word)) return false;
  return word.length / (word.match(PARTS) ?? []).length < SHORT_PART;
}
