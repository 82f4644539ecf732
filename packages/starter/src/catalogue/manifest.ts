import { motions } from '../draw/motions.ts';
import type { Entry } from './entry.ts';

/** A line of the manifest written beside the GIFs. */
export interface ManifestLine {
  file: string;
  title: string;
  tags: readonly string[];
  text?: string;
  lang: 'en';
  popularity: number;
  source: 'starter';
  alt: string;
}

export function manifestLine(entry: Entry): ManifestLine {
  const text = entry.caption.join(' ');
  return {
    file: `${entry.name}.gif`,
    title: entry.title,
    tags: entry.tags,
    ...(text === '' ? {} : { text }),
    lang: 'en',
    popularity: entry.popularity,
    source: 'starter',
    alt: describe(entry, text),
  };
}

/** Describes the GIF for people who cannot see it: "Sun with face rising over the hills, with the words GM". */
function describe(entry: Entry, text: string): string {
  const picture = entry.heroes.map((name) => name.replaceAll('-', ' ')).join(', then ');
  const words = text === '' ? '' : `, with the words “${text}”`;
  return `${picture.charAt(0).toUpperCase()}${picture.slice(1)} ${motions[entry.motion]!.verb}${words}`;
}
