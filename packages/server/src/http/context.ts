import type { FastifyInstance } from 'fastify';
import type { Log } from '../base/log.ts';
import type { Metrics, OperationName } from '../base/metrics.ts';
import type { LiveIndex, TakenOut } from '../index/index.ts';
import type { Limit, MediaLimits, PageVerdict, Verdict } from '../limits/index.ts';
import type { Derivative, MediaSource, StoredDerivative } from '../media/index.ts';
import type { BlobStore } from '../platform/blobs/index.ts';
import type { Admission, Use } from '../registry/index.ts';

export interface RequestLog {
  /** Takes a line of JSON, with its end, of so many bytes. */
  write(line: string, bytes: number): void;
  /** Whether lines say what was searched for. */
  withQueries: boolean;
}

/** The index a request answers from: taken once, kept to the request's end. */
export interface Lease {
  index: LiveIndex;
  /** Cache generation: rises with every swap and every tombstone. */
  gen: number;
  /** What was taken out since the build was made. */
  takenOut: TakenOut;
  /** Names all of this: what was made under one epoch must not be shown under another. */
  epoch: string;
}

/** How the embedder is, and since when (milliseconds since the Unix epoch); `none` when the operator wants none. */
export interface EmbedderReport {
  state: 'starting' | 'ready' | 'degraded' | 'down' | 'none';
  since: number | null;
}

/** Who asks the embedder: who is registered goes before who is not. */
export type Rank = 'registered' | 'anonymous';

/** What somebody reports of a GIF. */
export interface NewReport {
  gif: string;
  reason: 'illegal' | 'adult' | 'copyright' | 'other';
  message: string;
  contact: string;
}

/** What the routes are given. There is no database in it. */
export interface HttpContext {
  log: Log;
  /** Undefined when the operator wants no line for each request. */
  requestLog: RequestLog | undefined;
  /** Public base addresses, without a trailing slash. */
  publicUrl: string;
  mediaUrl: string;
  /** Whether MP4s can be made here. */
  hasVideo: boolean;
  operator: { name: string; url: string };
  answerCacheBytes: number;
  mediaCacheBytes: number;
  /** The media folder, for reading. */
  blobs: BlobStore;
  lease(): Lease;
  ensure(source: MediaSource, derivative: Derivative): Promise<StoredDerivative>;
  /**
   * The vector of a query, null when it has no word that means anything to the embedder. Rejects with ServiceError
   * `embedder_unavailable`, at the latest after `deadlineMs`, and sooner for those who are not registered.
   */
  embed(query: string, deadlineMs: number, rank: Rank): Promise<Float32Array | null>;
  /** Whether the operator wants search by meaning; if not, answers by words alone are as good as they get. */
  hasEmbedder: boolean;
  /** Whether GIFs are rated; missing: the operator wants it, but the networks are not there. */
  rating: 'on' | 'off' | 'missing';
  embedderState(): Promise<EmbedderReport>;
  metrics: Metrics;
  /** Tells who is calling. */
  admission: Admission;
  /** Count requests for images, and their bytes, against the budgets of an address. */
  mediaLimits: MediaLimits;
  /** How long a request may take to arrive, head and body, in milliseconds. */
  requestTimeoutMs: number;
  /** Connections that an address may have open; 0: any number. Where a proxy is trusted they are its own. */
  connectionsPerAddress: number;
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: number;
  /** Warns the operator that X-Forwarded-For arrives although no proxy is trusted. */
  warnForwarded(): void;
  /**
   * Counts a request for its client, who sees the sums; what was asked for is no part of it.
   * @param now milliseconds since the Unix epoch
   */
  countUse(clientId: string, operation: OperationName, use: Use, now: number): void;
  /** Adds the dashboard, which has rules of its own; undefined where there is none. */
  dashboard: ((app: FastifyInstance) => void) | undefined;
  /** Counts a request against its client's budget. */
  limit: Limit;
  /** The same where that is done in this process, so that nobody waits for it. */
  limitHere: Limit<Verdict> | undefined;
  /** Writes down what somebody reports; see `recordReport` of the catalogue. */
  report(report: NewReport): Promise<'taken' | 'unknown' | 'full'>;
  /** Counts a search on our own pages against the budget of an address; undefined where nothing is limited. */
  limitPages(address: string): PageVerdict | undefined;
  /** Counts a report against the budget of an address; undefined where nothing is limited. */
  limitReports(address: string): Verdict | undefined;
}
