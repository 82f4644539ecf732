import type { GifRecord, GifWords } from '../records/index.ts';

/** A file that can become a GIF in the catalogue. */
export interface Candidate {
  /** Absolute path of the file. */
  path: string;
  /**
   * The folder that must contain the file, even if the file's path contains links. It is the folder of the manifest,
   * because strangers may have written the manifest's rows.
   */
  within?: string;
  /** Key of the file in the shared store. If it is given, workers read this copy, not the path. */
  incoming?: string;
  /** What its source says of it. The name is part of stored jobs, which other versions read. */
  told: GifWords;
  /**
   * first: only the still for a grid is made now, to make many GIFs searchable soon. The other previews are made later,
   * or when somebody requests them.
   */
  previews: 'all' | 'first';
  /** Whether the source vouches for `adult`. If not, the models rate the GIF. */
  declared?: boolean;
}

/** The error for an input that cannot become a GIF. The message names the field and the reason. */
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
