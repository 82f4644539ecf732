import type { Config } from '../config.ts';
import type { Rank } from '../embed/index.ts';
import type { EmbedderReport, HttpContext, NewReport } from '../http/index.ts';
import type { SharedBuild, TakenOut } from '../index/index.ts';
import type { Derivative, MediaSource, StoredDerivative } from '../media/index.ts';
import type { Caller, Identifier, UsageTable } from '../registry/index.ts';
import type { PaymentsAnswer, PaymentsCall } from './payments-desk.ts';

/** What the main thread hands a serving thread. */
export interface ThreadData {
  config: Config;
  /** The number of this thread, from 0. */
  thread: number;
  mediaFolder: string;
  /** Whether MP4s can be made here. */
  hasVideo: boolean;
  /** Whether GIFs are rated. */
  rating: HttpContext['rating'];
  /** The file of words in all languages, in shared memory. */
  languages: Uint8Array;
  /** The id of the embedder that runs; a build with vectors of another one is searched by words alone. */
  embedder: string | undefined;
  /** Public keys of those who review, in hexadecimal. */
  admins: string[];
  /** What a client costs. */
  fee: { sats: number; provider: string };
  /** The thread takes it out: what is left in here lives as long as the thread. */
  first?: { build: SharedBuild; takenOut: TakenOut };
  /** One Int32: the cache generation, written by the main thread only. */
  gen: SharedArrayBuffer;
  /** Memory of the counters. */
  metrics: SharedArrayBuffer;
  /**
   * Memory of the rate limits, of clients and of addresses, so that strangers never push out a client; and the time from
   * which they count, by the steady clock.
   */
  limits: { memory: SharedArrayBuffer; media: SharedArrayBuffer; epoch: number };
  port: number;
  reusePort: boolean;
}

export type ToThread =
  | { type: 'swap'; build: SharedBuild }
  | { type: 'takeOut'; takenOut: TakenOut }
  | { type: 'registry' }
  | {
      type: 'answer';
      call: number;
      answer?: Answer;
      error?: { code: string | undefined; message: string; retryAfter?: number; isForCallers: boolean };
    }
  | { type: 'stop' };

export type FromThread =
  | { type: 'listening' }
  | { type: 'ask'; call: number; question: Question }
  | { type: 'usage'; rows: UsageTable[] }
  | { type: 'forwarded' };

/** What a thread leaves to the main thread. */
export type Question =
  | { type: 'ensure'; source: MediaSource; derivative: Derivative }
  | { type: 'embed'; query: string; deadlineMs: number; rank: Rank }
  | { type: 'embedder' }
  | { type: 'admit'; identifier: Identifier }
  | { type: 'payments'; asked: PaymentsCall }
  | { type: 'report'; report: NewReport };

export type Answer = StoredDerivative | Float32Array | EmbedderReport | Caller | 'suspended' | PaymentsAnswer | Taken;
type Taken = Awaited<ReturnType<HttpContext['report']>>;
