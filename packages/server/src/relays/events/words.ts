import { cutTo, oneLine } from '../../base/plain-text.ts';
import { TITLE_OF_CONTEXT, TITLE_OF_NAME, TITLE_OF_WORDS } from '../../claims/index.ts';
import { wordsOfName } from '../../ingest/index.ts';

const MAX_TITLE = 200;
const MAX_ALT = 1_000;
const MAX_TAG = 40;
const MAX_TAGS = 30;

const ADDRESSES = /\b(?:https?|wss?):\/\/\S+|\bnostr:\w+/gi;
const HASHTAGS = /(^|\s)#(?=[\p{L}\p{N}_])/gu;
/** Matches a file name that is used as a description. */
const NAME_OF_FILE = /^\S+\.(?:gif|webp)$/i;

export interface Title {
  title: string;
  titleRank: number;
}

/** Returns the author's text without URLs, on one line. */
export function plainWords(text: string): string {
  const plain = oneLine(text.replace(ADDRESSES, ' ').replace(HASHTAGS, '$1'));
  return plain.length <= MAX_TITLE ? plain : `${cutTo(plain, MAX_TITLE - 1).trimEnd()}…`;
}

/**
 * Returns the best available title. In order of preference, that is the author's description of the file, the text
 * around the URL, or the file name.
 */
export function titleOf({ words, context, url }: { words: readonly string[]; context: string; url: string }): Title {
  const said = words.map(plainWords).find((text) => text !== '' && !NAME_OF_FILE.test(text));
  if (said !== undefined) return { title: said, titleRank: TITLE_OF_WORDS };
  const around = plainWords(context);
  if (around !== '') return { title: around, titleRank: TITLE_OF_CONTEXT };
  return { title: nameOf(url), titleRank: TITLE_OF_NAME };
}

function nameOf(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    decodeURIComponent(name);
  } catch {
    return ''; // not UTF-8
  }
  return plainWords(wordsOfName(name));
}

export function cleanAlt(text: string): string {
  return cutTo(oneLine(text), MAX_ALT);
}

/** Turns hashtags into tags, in lower case and without duplicates. */
export function cleanTags(tags: readonly string[]): string[] {
  const clean = tags.map((tag) => oneLine(tag.normalize('NFC').replace(/^#/, '')).toLowerCase());
  return [...new Set(clean.filter((tag) => tag !== '' && tag.length <= MAX_TAG && tag !== 'nsfw'))].slice(0, MAX_TAGS);
}
