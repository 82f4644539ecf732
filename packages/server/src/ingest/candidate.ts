import type { GifRecord, GifWords } from '../catalog/index.ts';

/** A file that may become a GIF in the catalogue. */
export interface Candidate {
  /** Absolute path. */
  path: string;
  /**
   * The folder that must contain the file, even if its path contains links: the folder of its manifest, whose rows
   * strangers may have written.
   */
  within?: string;
  told: GifWords;
  /** first: only the previews for a grid, so that many GIFs can be found soon; the others are made later. */
  previews: 'all' | 'first';
  /** Whether its source vouches for `adult`; if not, the models rate the GIF. */
  declared?: boolean;
}

/** Thrown for an input that cannot become a GIF; names the field and the reason. */
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
