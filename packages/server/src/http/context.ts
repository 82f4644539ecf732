import type { FastifyInstance } from 'fastify';
import type { Log } from '../base/log.ts';
import type { Metrics, OperationName } from '../base/metrics.ts';
import type { LiveIndex, TakenOut } from '../index/index.ts';
import type { Limit, MediaLimits, PageVerdict, Verdict } from '../limits/index.ts';
import type { Derivative, MediaSource, StoredDerivative } from '../media/index.ts';
import type { BlobStore } from '../platform/blobs/index.ts';
import type { Admission, Use } from '../registry/index.ts';

export interface RequestLog {
  /** Writes a line of JSON, including its line break, of this many bytes. */
  write(line: string, bytes: number): void;
  /** Whether to log queries. */
  withQueries: boolean;
}

/** The index that a request uses: taken once, used until the end of the request. */
export interface Lease {
  index: LiveIndex;
  /** Cache generation: increases with every swap and every tombstone. */
  gen: number;
  /** The GIFs hidden after the build was made. */
  takenOut: TakenOut;
  /** Changes whenever any of the above changes: a response made in one epoch must not be used in another. */
  epoch: string;
}

/** The embedder's state, `none` if turned off, and when that state began, in milliseconds since the Unix epoch. */
export interface EmbedderReport {
  state: 'starting' | 'ready' | 'degraded' | 'down' | 'none';
  since: number | null;
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

/** Everything that routes need. Deliberately has no database. */
export interface HttpContext {
  log: Log;
  /** Undefined if the operator turned request logs off. */
  requestLog: RequestLog | undefined;
  /** Public base URLs, without a trailing slash. */
  publicUrl: string;
  mediaUrl: string;
  /** Whether MP4s can be made. */
  hasVideo: boolean;
  operator: { name: string; url: string };
  answerCacheBytes: number;
  mediaCacheBytes: number;
  /** The media store, for reading. */
  blobs: BlobStore;
  lease(): Lease;
  ensure(source: MediaSource, derivative: Derivative): Promise<StoredDerivative>;
  /**
   * The vector of a query, null if the embedder knows none of its words. Rejects with ServiceError
   * `embedder_unavailable` after `deadlineMs`, or earlier for anonymous callers.
   */
  embed(query: string, deadlineMs: number, rank: Rank): Promise<Float32Array | null>;
  /** Whether semantic search is turned on; if not, results from text search alone do not count as degraded. */
  hasEmbedder: boolean;
  /** Whether GIFs are rated; `missing`: rating is turned on, but the networks are not installed. */
  rating: 'on' | 'off' | 'missing';
  embedderState(): Promise<EmbedderReport>;
  metrics: Metrics;
  /** Identifies callers. */
  admission: Admission;
  /** An IP address's rate limits for images and their bytes. */
  mediaLimits: MediaLimits;
  /** Time limit for receiving a request, headers and body, in milliseconds. */
  requestTimeoutMs: number;
  /** Maximum connections per IP address; 0: no limit. Not used behind a trusted proxy, which opens all connections. */
  connectionsPerAddress: number;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  /** Warns the operator that X-Forwarded-For is sent although no proxy is trusted. */
  warnForwarded(): void;
  /**
   * Counts a request for its client, whose owners see the totals. Does not record the query.
   * @param now milliseconds since the Unix epoch
   */
  countUse(clientId: string, operation: OperationName, use: Use, now: number): void;
  /** Registers the dashboard; undefined if there is none. */
  dashboard: ((app: FastifyInstance) => void) | undefined;
  /** Counts a request against its client's rate limit. */
  limit: Limit;
  /** The same, without waiting; undefined unless limits are counted in this process. */
  limitHere: Limit<Verdict> | undefined;
  /** Saves a report (see `recordReport` of the catalogue). */
  report(report: NewReport): Promise<'taken' | 'unknown' | 'full'>;
  /** Counts a search on the service's own pages; undefined if nothing is limited. */
  limitPages(address: string): PageVerdict | undefined;
  /** Counts a report; undefined if nothing is limited. */
  limitReports(address: string): Verdict | undefined;
}
