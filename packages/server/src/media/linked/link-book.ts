import type { DownloadError } from '../../platform/fetch/index.ts';
import type { MediaFormat, Size } from '../derivatives.ts';
import type { MediaRefusal } from '../refusal.ts';

/** What is known for finding the original of a linked GIF. */
export interface LinkFacts {
  /** Addresses of the same bytes, the shown one first. */
  readonly addresses: readonly string[];
  /** Hash of the original if it is stored here. */
  readonly kept: string | null;
  /** Whether the shown address worked the last time. */
  readonly isSound: boolean;
  /** The address from its source. */
  readonly listed: string;
  /** Whether the shown address is from the operator; a stranger's address may have other bytes by now. */
  readonly isTrusted: boolean;
}

/** The result of fetching a linked GIF. */
export type LinkNews =
  /** An address gave the original; `kept` is its hash if it is now stored here, `facts` what was read of it. */
  | { readonly state: 'alive'; readonly url: string; readonly kept: string | null; readonly facts?: FileFacts }
  /** The shown address no longer has it, and no other gave it. */
  | { readonly state: 'gone'; readonly reason: string }
  /** No conclusion: servers are slow, busy or down. */
  | { readonly state: 'unclear' };

/** What was read of a file: only its first bytes, or all of it, which then has a hash. */
export interface FileFacts extends Size {
  readonly format: MediaFormat;
  /** null: unknown. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly frames: number | null;
  readonly durationMs: number | null;
}

/**
 * What changed for a GIF. moved: it is shown from another address from the next build on; read: more is known of its
 * file.
 */
export type LinkChange = 'hidden' | 'back' | 'moved' | 'read' | null;

/** The result of checking a link. */
export interface LinkVerdict {
  readonly state: LinkNews['state'];
  readonly change: LinkChange;
  /** Why a server did not return the file, if one was asked. */
  readonly failure?: DownloadError | MediaRefusal;
}

/** An original in memory. */
export interface LoadedOriginal {
  readonly bytes: Uint8Array;
  readonly sha256: string | null;
  /** The address it was fetched from; null if it was stored here. */
  readonly url: string | null;
}

/** Where the state of linked GIFs is stored. */
export interface LinkBook {
  /** Undefined if nothing is known except the source's own address. */
  find(id: string): Promise<LinkFacts | undefined>;
  note(id: string, news: LinkNews): Promise<LinkChange>;
}
