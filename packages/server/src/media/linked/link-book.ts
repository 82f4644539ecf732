import type { DownloadError } from '../../platform/fetch/index.ts';
import type { MediaFormat, Size } from '../derivatives.ts';
import type { MediaRefusal } from '../refusal.ts';

/** What the originals of linked GIFs are to be found by. */
export interface LinkFacts {
  /** Addresses of the same bytes, the one that answers show first. */
  readonly addresses: readonly string[];
  /** Hash of the original where it was kept here. */
  readonly kept: string | null;
  /** Whether the shown address had it the last time. */
  readonly isSound: boolean;
  /** The address that it was listed with. */
  readonly listed: string;
  /** Whether the shown address is the operator's; what a stranger named may give other bytes by now. */
  readonly isTrusted: boolean;
}

/** What was heard of the addresses of a linked GIF. */
export type LinkNews =
  /** One of them gave the original; its hash where that is kept here now, and what was read of it. */
  | { readonly state: 'alive'; readonly url: string; readonly kept: string | null; readonly facts?: FileFacts }
  /** The shown one does not have it any more, and no other gave it. */
  | { readonly state: 'gone'; readonly reason: string }
  /** Nothing can be said: servers are slow, or busy, or down. */
  | { readonly state: 'unclear' };

/** What was read of a file: of its first bytes, or of all of it, which then has a hash. */
export interface FileFacts extends Size {
  readonly format: MediaFormat;
  /** What is null is not known. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly frames: number | null;
  readonly durationMs: number | null;
}

/**
 * What became of a GIF by such news. moved: answers show another of its addresses from the next build on; read: more is
 * known of its file than before.
 */
export type LinkChange = 'hidden' | 'back' | 'moved' | 'read' | null;

/** What a check of a link came to. */
export interface LinkVerdict {
  readonly state: LinkNews['state'];
  readonly change: LinkChange;
  /** Why a server gave nothing, where one was asked in vain. */
  readonly failure?: DownloadError | MediaRefusal;
}

/** An original in memory. */
export interface LoadedOriginal {
  readonly bytes: Uint8Array;
  readonly sha256: string | null;
  /** Where it was fetched just now; null when it was here. */
  readonly url: string | null;
}

/** Where what is known of linked GIFs is kept. */
export interface LinkBook {
  /** Undefined when there is nothing to know but the address of the source itself. */
  find(id: string): Promise<LinkFacts | undefined>;
  note(id: string, news: LinkNews): Promise<LinkChange>;
}
