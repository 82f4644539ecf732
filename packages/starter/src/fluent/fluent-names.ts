import { createRequire } from 'node:module';

interface Names {
  /** Emoji names, keyed by code points without variation selectors: `1f602` → `face-with-tears-of-joy`. */
  names: Record<string, string>;
  /** Search words, keyed by the same code points. */
  keywords: Map<string, string[]>;
}

let loaded: Names | undefined;

function load(): Names {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const words = require('emojilib') as Record<string, string[]>;
  loaded = {
    names: require('@iconify-json/noto/chars.json') as Record<string, string>,
    keywords: new Map(Object.entries(words).map(([emoji, list]) => [codeOf(emoji), list])),
  };
  return loaded;
}

/** The code points of popular emoji, most popular first. All other emoji rank below the heroes of the starter GIFs. */
const loved =
  '1f602 2764 1f525 1f44d 1f64f 1f389 1f60d 1f44f 1f62d 1f44b 1f680 1f973 1f60e 1f914 1f44c 2615 1f31e'.split(' ');

const tone = /-1f3f[b-f]/g;

export interface FluentNames {
  title: string;
  tags: string[];
  popularity: number;
  alt: string;
}

/**
 * Returns title, tags and popularity of an emoji from the code points in its file name, or undefined if the emoji has
 * no known name.
 */
export function describeFluent(code: string): FluentNames | undefined {
  const { names, keywords } = load();
  const plain = code.replaceAll('-fe0f', '');
  const base = plain.replace(tone, '');
  const words = keywords.get(base) ?? keywords.get(plain) ?? [];
  const name = names[base]?.replaceAll('-', ' ') ?? words[0]?.replaceAll('_', ' ');
  if (name === undefined) return undefined;
  const tones = [...new Set(plain.match(tone))].map((found) => toneNames[found.slice(1)]!);
  const skin = tones.map((each) => `${each} skin tone`);
  const title = [capital(name), ...skin].join(', ');
  const tags = [name, ...words.map((word) => word.replaceAll('_', ' ')), ...skin];
  const rank = loved.indexOf(base);
  // Skin tones rank below the plain gesture, so that the five skin tones of one gesture do not fill a page.
  const popularity = skin.length > 0 ? 20 : rank < 0 ? 200 : 400 - rank;
  return { title, tags: [...new Set(tags.filter(isWord))].slice(0, 16), popularity, alt: `Animated emoji: ${title}` };
}

const toneNames: Record<string, string> = {
  '1f3fb': 'light',
  '1f3fc': 'medium-light',
  '1f3fd': 'medium',
  '1f3fe': 'medium-dark',
  '1f3ff': 'dark',
};

function codeOf(emoji: string): string {
  return [...emoji]
    .map((character) => character.codePointAt(0)!.toString(16))
    .filter((code) => code !== 'fe0f')
    .join('-');
}

/** Returns whether a tag is a word. Keywords also include emoticons such as `:D`, for which nobody searches. */
function isWord(tag: string): boolean {
  return /^[\p{L}\p{N}]/u.test(tag);
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
