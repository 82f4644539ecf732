import type { SearchMode } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import type { Admission, Client, Use } from '../admission/index.ts';
import type { Log } from '../base/log.ts';
import type { Metrics, OperationName } from '../base/metrics.ts';
import type { Ranked, Search, Withheld } from '../index/index.ts';
import type { Limit, MediaLimits, PageVerdict, Verdict } from '../limits/index.ts';
import type { Derivative, MediaSource, StoredDerivative } from '../media/index.ts';
import type { BlobStore } from '../platform/blobs/index.ts';
import type { FaceCallers, FaceName } from './faces/setting.ts';

export interface RequestLog {
  /** Writes a line of JSON, including its line break, of this many bytes. */
  write(line: string, bytes: number): void;
  /** Whether to log queries. */
  withQueries: boolean;
}

/** The index that a request uses. The request takes the lease once and uses it until its end. */
export interface Lease {
  index: Search;
  /** Cache generation. The number increases with every swap and every tombstone. */
  gen: number;
  /** Data about the GIFs that were hidden after the build was made. */
  withheld: Withheld;
  /**
   * A string that changes whenever any of the fields above changes. A response made in one epoch must not be used in
   * another.
   */
  epoch: string;
}

/** A search whose response has been computed. */
export interface FoundSearch {
  /** Normalised. */
  q: string;
  mode: SearchMode;
  /** Number of the user's language (`languageOf`). */
  language: number | undefined;
  /**
   * The vector with which the search was made. Null if the embedder has none of the words; undefined if the search used
   * no vector.
   */
  vector: Float32Array | null | undefined;
  ranked: Ranked;
}

/** A query for the embedder. */
export interface EmbeddedQuery {
  /** Normalised. */
  text: string;
  /** See `Search.isShort`. */
  isShort: boolean;
}

/**
 * The embedder's state, or `none` if the embedder is turned off. `since` is the start of the state, in milliseconds
 * since the Unix epoch.
 */
export interface EmbedderReport {
  state: 'starting' | 'ready' | 'degraded' | 'down' | 'none';
  since: number | null;
}

/**
 * Whether searches can reach their index. An index in memory is always `ok`.
 * - `away`: the search cluster does not respond.
 * - `gone`: somebody has removed the index from the cluster.
 */
export type SearchState = 'ok' | 'away' | 'gone';

/** Facts about the parts of the service that only the main thread knows. */
export interface Health {
  embedder: EmbedderReport;
  search: SearchState;
  /** Whether GIFs are still being added. */
  isGrowing: boolean;
  /** Whether queries in languages other than English are understood. */
  hasLanguages: boolean;
}

/** Registered callers have priority over anonymous callers. */
export type Rank = 'registered' | 'anonymous';

/** A report about a GIF. */
export interface NewReport {
  gif: string;
  reason: 'illegal' | 'adult' | 'copyright' | 'other';
  message: string;
  contact: string;
}

/** What the relay sends about a GIF. */
export interface RelayFacts {
  /** When the GIF was added, in milliseconds since the Unix epoch; 0 if the time is unknown. */
  addedAt: number;
  /** The event of the GIF's author as JSON. Null if the service signs an event itself. */
  event: string | null;
}

/** The wanted events: events with these ids, or the last events of these authors. */
export type WantedEvents =
  | { ids: readonly string[] }
  /** The times are in seconds since the Unix epoch. */
  | { authors: readonly string[]; since: number; until: number; limit: number };

/** All objects that routes need. The context deliberately has no database. */
export interface HttpContext {
  log: Log;
  /** Undefined if the operator turned request logs off. */
  requestLog: RequestLog | undefined;
  /** Public base URLs, without a trailing slash. */
  publicUrl: string;
  mediaUrl: string;
  /** Whether MP4s can be made. */
  hasVideo: boolean;
  /** Whether linked GIFs whose original is stored here have the URL of that copy. */
  hasOwnUrls: boolean;
  operator: { name: string; url: string };
  /** Whether search engines are allowed to list the pages of GIFs. */
  robots: 'index' | 'noindex';
  /** Terms of the categories of discovery. */
  topics: readonly string[];
  /** The faces (imitated APIs) that are turned on, each with the callers that it admits. */
  faces: ReadonlyMap<FaceName, FaceCallers>;
  /** Whether people can upload GIFs. */
  hasMembers: boolean;
  /** The secret key that signs the events of the relay. Empty if there is no relay. */
  nostrKey: string;
  /** Folder of the published catalogue. Undefined if the operator does not publish it. */
  catalogue: string | undefined;
  /** Returns what the relay sends about GIFs, by id. Leaves out GIFs that were hidden in the meantime. */
  relayFacts(ids: readonly string[]): Promise<Record<string, RelayFacts>>;
  /** Returns the ids of the GIFs to which authors' events belong. */
  gifsOfEvents(wanted: WantedEvents): Promise<string[]>;
  answerCacheBytes: number;
  mediaCacheBytes: number;
  /** The media store, for reading. */
  blobs: BlobStore;
  lease(): Lease;
  ensure(source: MediaSource, derivative: Derivative): Promise<StoredDerivative>;
  /**
   * Returns the vector of a query, or null if the embedder knows none of the query's words. Rejects with ServiceError
   * `embedder_unavailable` after `deadlineMs`, or earlier for anonymous callers.
   */
  embed(query: EmbeddedQuery, deadlineMs: number, rank: Rank): Promise<Float32Array | null>;
  /** Returns what `embed` uses: the file name of a table, or the id of the embedder. */
  encoderOf(query: Pick<EmbeddedQuery, 'isShort'>): string;
  /**
   * Whether semantic search is turned on. If it is turned off, results from text search alone do not count as degraded.
   */
  hasEmbedder: boolean;
  /** Whether GIFs are rated. `missing` means that rating is turned on but the networks are not installed. */
  rating: 'on' | 'off' | 'missing';
  health(): Promise<Health>;
  metrics: Metrics;
  /** Identifies callers. */
  admission: Admission;
  /** Rate limits of an IP address for images and their bytes. */
  mediaLimits: MediaLimits;
  /** Maximum time for receiving a request's headers and body, in milliseconds. */
  requestTimeoutMs: number;
  /**
   * Maximum number of connections per IP address. 0: no limit. The limit does not apply behind a trusted proxy, because
   * the proxy opens all connections.
   */
  connectionsPerAddress: number;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  /** Warns the operator that X-Forwarded-For is sent although no proxy is trusted. */
  warnForwarded(): void;
  /**
   * Counts a request for its client. The client's owners see the totals. The query is not recorded.
   * @param now milliseconds since the Unix epoch
   */
  countUse(client: Client, operation: OperationName, use: Use, now: number): void;
  /** Compares some searches with another engine, after their responses. Undefined if there is no other engine. */
  compare: ((search: FoundSearch) => void) | undefined;
  /** Registers the dashboard. Undefined if there is no dashboard. */
  dashboard: ((app: FastifyInstance) => void) | undefined;
  /** Counts a request against its client's rate limit. */
  limit: Limit;
  /** Counts a request like `limit`, but without waiting. Undefined if limits are not counted in this process. */
  limitHere: Limit<Verdict> | undefined;
  /** Saves a report (see `recordReport` of the catalogue). */
  report(report: NewReport): Promise<'taken' | 'unknown' | 'full'>;
  /** Counts a search on the service's own pages. Returns undefined if there is no limit. */
  limitPages(address: string): PageVerdict | undefined;
  /**
   * The limit for reports. `take` counts a report, and `look` only checks the limit. Both return undefined if there is
   * no limit.
   */
  limitReports: Record<'look' | 'take', (address: string) => Verdict | undefined>;
}
