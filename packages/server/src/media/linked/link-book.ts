import type { DownloadError } from '../../platform/fetch/index.ts';
import type { MediaFormat, Size } from '../derivatives.ts';
import type { MediaRefusal } from '../refusal.ts';

/** The facts needed to find a linked GIF's original. */
export interface LinkFacts {
  /** URLs of the same bytes, the shown URL first. */
  readonly addresses: readonly string[];
  /** Hash of the original if it is stored here. */
  readonly kept: string | null;
  /** Whether the shown URL worked at the last attempt. */
  readonly isSound: boolean;
  /** The URL from its source. */
  readonly listed: string;
  /** Whether the shown URL is from the operator. If it is from a stranger, it may now return different bytes. */
  readonly isTrusted: boolean;
  /** Returns the Blossom servers of the GIF's authors. They are only needed if the URLs fail. */
  readonly ownServers?: () => Promise<readonly string[]>;
}

/** The result of fetching a linked GIF. */
export type LinkNews =
  /**
   * A URL returned the original. `kept` is the hash of the original if it is now stored here. `facts` were read from
   * the original.
   */
  | { readonly state: 'alive'; readonly url: string; readonly kept: string | null; readonly facts?: FileFacts }
  /** The shown URL no longer returns the original, and no other URL returned it. */
  | { readonly state: 'gone'; readonly reason: string }
  /** The result is unknown, because servers are slow, busy or down. */
  | { readonly state: 'unclear' };

/**
 * The facts read from a file's first bytes or from the whole file. The hash is known only if the whole file was read,
 * and the optional facts only if its frames were decoded.
 */
export interface FileFacts extends Size {
  readonly format: MediaFormat;
  /** Null if unknown. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly frames: number | null;
  readonly durationMs: number | null;
  /** See `FrameFacts`. */
  readonly transparent?: boolean;
  readonly blankStill?: boolean;
}

/** The change to a GIF. moved: the next build has another URL for the GIF. read: more is known about the GIF's file. */
export type LinkChange = 'hidden' | 'back' | 'moved' | 'read' | null;

/** The result of checking a link. */
export interface LinkVerdict {
  readonly state: LinkNews['state'];
  readonly change: LinkChange;
  /**
   * The error of the first URL. Only `probeLink` sets this error, and only if it tried at least one URL and no URL
   * returned an image.
   */
  readonly failure?: DownloadError | MediaRefusal;
}

/** An original in memory. */
export interface LoadedOriginal {
  readonly bytes: Uint8Array;
  readonly sha256: string | null;
  /** The URL from which the original was fetched. Null if the original was stored here. */
  readonly url: string | null;
}

/** The store for the state of linked GIFs. */
export interface LinkBook {
  /** Finds a linked GIF's original. Returns undefined if only the source's own URL is known. */
  find(id: string): Promise<LinkFacts | undefined>;
  note(id: string, news: LinkNews): Promise<LinkChange>;
}
