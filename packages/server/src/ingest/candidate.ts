import type { GifRecord, GifWords } from '../catalog/index.ts';

/** A file that may become a GIF of the catalogue. */
export interface Candidate {
  /** Absolute path. */
  path: string;
  /**
   * A folder that the file must not leave, even through links: that of its manifest, whose rows strangers may have
   * written.
   */
  within?: string;
  told: GifWords;
  /** first: only the previews for a grid, so that much can be found soon; the others are made later. */
  previews: 'all' | 'first';
  /** Whether its source vouches for `adult`; otherwise it is rated. */
  declared?: boolean;
}

/** An input that cannot become a GIF, with the field and the reason. */
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
