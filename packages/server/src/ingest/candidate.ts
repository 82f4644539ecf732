import type { GifRecord, GifWords } from '../catalog/index.ts';

/** A file that may become a GIF of the catalogue. */
export interface Candidate {
  /** Absolute path. */
  path: string;
  /** A folder that the file must not leave through links: that of its manifest, whose rows strangers may have written. */
  within?: string;
  told: GifWords;
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

export const NOTHING_TOLD: Omit<GifWords, 'toldBy' | 'source'> = {
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
