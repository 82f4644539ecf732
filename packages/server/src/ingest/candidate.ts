import type { GifRecord, GifWords } from '../records/index.ts';

/** A file that can become a GIF in the catalogue. */
export interface Candidate {
  /** Absolute path of the file. */
  path: string;
  /**
   * The folder that must contain the file, even if the file's path contains links. For a file from a manifest, this is
   * the manifest's folder, because strangers may have written the rows.
   */
  within?: string;
  /** Key of the file in the shared store. If the key is set, workers read this copy instead of the path. */
  incoming?: string;
  /**
   * The metadata from the file's source. The name `told` cannot change, because other versions read it in stored jobs.
   */
  told: GifWords;
  /**
   * first: only the still for grids is made now, so that many GIFs can be searched soon. The other previews are made
   * later, or when somebody requests them.
   */
  previews: 'all' | 'first';
  /** Whether nobody changes the file in place, so that the stored original can be a link to the file. */
  isFinal?: boolean;
  /** Whether the GIF is hidden until an operator has reviewed it, because a member uploaded it. */
  awaitsReview?: boolean;
  /** Whether the source guarantees that `adult` is correct. If it does not, the models rate the GIF. */
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
