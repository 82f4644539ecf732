import type { GifRecord } from '../catalog/index.ts';

/** What somebody says of a GIF: all of it but what only its bytes can tell. */
export interface Told {
  title: string;
  tags: string[];
  characters: string[];
  series: string[];
  text: string;
  alt: string;
  lang: string;
  adult: boolean;
  popularity: number;
  source: string;
  fallback: string[];
  toldBy: string;
}

/** A file that may become a GIF of the catalogue. */
export interface Candidate {
  /** Absolute path. */
  path: string;
  /** A folder that the file must not leave through links: that of its manifest, whose rows strangers may have written. */
  within?: string;
  told: Told;
  /** first: enough to be shown in a grid, so that much is searchable soon; the others follow as work of their own. */
  previews: 'all' | 'first';
  /** Whether its teller answers for what it says of `adult`; what nobody answers for is rated. */
  declared?: boolean;
}

/** An input that cannot become a GIF: which field, and why. */
export class InputRefusal extends Error {
  override readonly name = 'InputRefusal';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export const NOTHING_TOLD: Omit<Told, 'toldBy' | 'source'> = {
  title: '',
  tags: [],
  characters: [],
  series: [],
  text: '',
  alt: '',
  lang: '',
  adult: false,
  popularity: 0,
  fallback: [],
};

export type LinkedGif = GifRecord & { url: string };
