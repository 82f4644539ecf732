import type { Caller, Identifier, UsageCount } from '../admission/index.ts';
import type { SharedBuild } from '../builds/index.ts';
import type { SharedCluster } from '../cluster/index.ts';
import type { Config } from '../config.ts';
import type { QueryTable, Rank } from '../embed/index.ts';
import type { Health, HttpContext, NewReport, RelayFacts, WantedEvents } from '../http/index.ts';
import type { SynonymSet, Withheld } from '../index/index.ts';
import type { Derivative, MediaSource, StoredDerivative } from '../media/index.ts';
import type { ConsoleAnswer, ConsoleCall } from './console/calls.ts';
import type { PaymentsAnswer, PaymentsCall } from './payments-calls.ts';

/** The index that a serving thread opens for searching: a build in memory, or the state of an index in a cluster. */
export type SharedIndex = SharedBuild | SharedCluster;

/** The words of all languages: our own, and those that operators add. */
export interface Words {
  /** The dictionary of all languages, in shared memory; undefined while `npm start` is still making it. */
  languages: Uint8Array | undefined;
  synonyms: readonly SynonymSet[];
  /** Dictionaries of single languages, in shared memory. */
  packs: readonly Uint8Array[];
}

/** The data that the main thread passes to a serving thread. */
export interface ThreadData {
  config: Config;
  /** Number of this thread, from 0. */
  thread: number;
  mediaFolder: string;
  /** Whether MP4s can be made. */
  hasVideo: boolean;
  /** Whether GIFs are rated. */
  rating: HttpContext['rating'];
  /** Id of the running embedder. If a build has vectors from another embedder, only text search is used. */
  embedder: string | undefined;
  /** The table that embeds queries on this thread, in shared memory. */
  queryTable: (QueryTable & { bytes: Uint8Array }) | undefined;
  /** Hexadecimal public keys of the operators. */
  admins: string[];
  /** Hexadecimal public keys of the people who can upload. */
  members: string[];
  /** The registration fee. */
  fee: { sats: number; provider: string };
  /**
   * The data with which the thread starts. The thread deletes this property, because otherwise the data would stay in
   * memory as long as the thread lives.
   */
  first?: {
    index: SharedIndex;
    withheld: Withheld;
    words: Words;
    /** The index that is compared with the served one. */
    shadow: SharedCluster | undefined;
  };
  /** A single Int32 with the cache generation. Only the main thread writes it. */
  gen: SharedArrayBuffer;
  /** Shared memory that contains the metrics. */
  metrics: SharedArrayBuffer;
  /**
   * Shared memory for the rate limits. `epoch` is the limits' start on the monotonic clock.
   */
  limits: { memory: SharedArrayBuffer; epoch: number };
  port: number;
  reusePort: boolean;
}

export type ToThread =
  | { type: 'swap'; index: SharedIndex }
  | { type: 'withhold'; withheld: Withheld }
  | { type: 'words'; words: Words }
  | { type: 'shadow'; shadow: SharedCluster }
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
  | { type: 'usage'; rows: UsageCount[] }
  | { type: 'forwarded' };

/** Requests of a thread to the main thread. */
export type Question =
  | { type: 'ensure'; source: MediaSource; derivative: Derivative }
  | { type: 'embed'; query: string; deadlineMs: number; rank: Rank }
  | { type: 'health' }
  | { type: 'admit'; identifier: Identifier }
  | { type: 'payments'; asked: PaymentsCall }
  | { type: 'console'; asked: ConsoleCall }
  | { type: 'report'; report: NewReport }
  | { type: 'relayFacts'; ids: readonly string[] }
  | { type: 'gifsOfEvents'; wanted: WantedEvents };

export type Answer =
  | StoredDerivative
  | Float32Array
  | Health
  | Caller
  | 'suspended'
  | PaymentsAnswer
  | ConsoleAnswer
  | ReportResult
  | Record<string, RelayFacts>
  | string[];
type ReportResult = Awaited<ReturnType<HttpContext['report']>>;
