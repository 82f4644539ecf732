import type { Pool } from 'undici';
import { OperatorError, ServiceError } from '../../base/errors.ts';

export interface ClientOptions {
  /** URLs of the cluster's nodes, such as `https://search-1:9200`. */
  urls: readonly string[];
  user?: { name: string; password: string };
  /**
   * Certificates of the authorities that signed the nodes' certificates, in PEM. If undefined, the well-known
   * authorities are used.
   */
  ca?: string | undefined;
  /** Time for which a node that failed gets no requests, in milliseconds. Only tests change it. */
  restMs?: number;
  /** Maximum time for a node's response to a check, in milliseconds. Only tests change it. */
  checkMs?: number;
}

/**
 * A request, or a function that creates it. The function gets the nodes whose copies of the data should be read (see
 * `#preference`).
 */
type RequestSource = ClusterRequest | ((preference: string | undefined) => ClusterRequest);

export interface ClusterRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  /** Path and query string. Names in it must be encoded. */
  path: string;
  /** An object is sent as JSON. An array is sent as one line of JSON for each item. */
  body?: object | readonly object[];
  /** Maximum time for all attempts, in milliseconds. */
  deadlineMs: number;
}

/** The name of cosine similarity in mappings and scripts. */
export const COSINE = 'cosinesimil';

/** The error if the cluster refused a request. Another attempt would also fail. */
export class ClusterRefusal extends Error {
  override readonly name = 'ClusterRefusal';
  readonly status: number;
  /** The cluster's name for the reason, such as `resource_already_exists_exception`. */
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

const REST_MS = 2_000;
const CONNECT_MS = 2_000;
/** Maximum number of connections to a node. Further requests wait. */
const CONNECTIONS = 64;
/** Statuses of a node that has lost the other nodes, or of a proxy that cannot reach the node. */
const AWAY = new Set([502, 503, 504]);
/**
 * Status of a node that is overloaded. The request is sent to the next node, but the overloaded node does not have to
 * rest.
 */
const OVERLOADED = 429;
/** Maximum length of a message from the cluster. */
const MAX_MESSAGE = 500;

const CHECK_MS = 1_000;
/**
 * If a request takes longer, all nodes are checked, because any node can be the cause. If the check of a node takes
 * longer, the node is used only after the nodes with quick checks.
 */
const SLOW_MS = 300;

/**
 * Maximum number of concurrent requests. It is the number of connections of three nodes. A healthy cluster responds
 * within 50 ms, so this is enough for thousands of requests a second. Further requests fail immediately, because they
 * would only wait in a queue until their callers have given up.
 */
const MOST_REQUESTS = 192;
/** With at least this number of requests, the cluster counts as busy, and searches leave out optional steps. */
const MANY_REQUESTS = 32;
/**
 * Share of the requests that can be repeated at another node after a failure, and the maximum number of repetitions
 * that can accumulate. Without these limits, an overloaded cluster would get each request once for every node.
 */
const RETRY_SHARE = 0.2;
const MOST_RETRIES = 100;

/**
 * Sends requests to the nodes of an OpenSearch cluster, in turn. A node that fails rests for a while, and gets requests
 * again after it has responded to a check. While all nodes are down, requests fail immediately, except one request at a
 * time, which serves as a check. A request that takes too long is sent to the next node. The first node is not always
 * the cause: it may be waiting for a copy of the data on another node. Therefore all nodes are checked, and reads
 * prefer copies on nodes that respond. All requests must be repeatable, because a request that failed at one node is
 * sent to the next. The numbers of requests and of repetitions are limited.
 */
export class ClusterClient {
  readonly #nodes: readonly ClusterNode[];
  readonly #restMs: number;
  readonly #checkMs: number;
  #next = 0;
  #running = 0;
  #retries = MOST_RETRIES;

  constructor({ restMs = REST_MS, checkMs = CHECK_MS, ...options }: ClientOptions) {
    this.#nodes = options.urls.map((url) => openNode(url, options));
    this.#restMs = restMs;
    this.#checkMs = checkMs;
  }

  /**
   * Returns the parsed response, or null if the cluster does not know what the path names (404).
   * @throws ServiceError `upstream_unavailable` if no node responds in time; ClusterRefusal; OperatorError if the user
   * lacks a right
   */
  async request<Answer>(asked: RequestSource): Promise<Answer | null> {
    if (this.#running >= MOST_REQUESTS)
      throw this.#away(new Error(`${MOST_REQUESTS} requests are waiting for answers`));
    this.#running++;
    try {
      return await this.#request<Answer>(asked);
    } finally {
      this.#running--;
    }
  }

  /** Whether so many requests wait for responses that more requests would make all of them slower. */
  get isBusy(): boolean {
    return this.#running >= MANY_REQUESTS;
  }

  async #request<Answer>(asked: RequestSource): Promise<Answer | null> {
    const requestNow = () => (typeof asked === 'function' ? asked(this.#preference()) : asked);
    const end = performance.now() + requestNow().deadlineMs;
    const nodes = this.#awake();
    let cause: unknown = new Error(nodes.length === 0 ? 'all nodes rest after failures' : 'no time was left');
    this.#retries = Math.min(MOST_RETRIES, this.#retries + RETRY_SHARE);
    for (const [i, node] of nodes.entries()) {
      const left = end - performance.now();
      if (left <= 0) break;
      if (i > 0 && this.#retries < 1) break;
      if (i > 0) this.#retries--;
      // A node that hangs must leave time for the other nodes.
      const patience = left / (nodes.length - i);
      try {
        const answer = await this.#askAndWatch(node, requestNow(), patience);
        this.#wake(node);
        this.#learnId(node);
        return answer as Answer | null;
      } catch (error) {
        if (error instanceof ClusterRefusal || error instanceof OperatorError) {
          this.#wake(node);
          throw error;
        }
        cause = error;
        this.#noteFailure(node, error);
      }
    }
    throw this.#away(cause);
  }

  #away(cause: unknown): ServiceError {
    const message = 'the search cluster is unavailable';
    return new ServiceError('upstream_unavailable', message, { cause, retryAfter: Math.ceil(this.#restMs / 1000) });
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map(async ({ pool }) => (await pool).destroy()));
  }

  /**
   * Returns the nodes that are not resting, each time in a different order. Nodes whose check takes long come last. If
   * all nodes rest, returns the nodes that did not respond to a check in time, because they may only be busy. If all
   * nodes are down, lets one request at a time through as a check.
   */
  #awake(): ClusterNode[] {
    const now = performance.now();
    const first = this.#next++ % this.#nodes.length;
    const rotated = [...this.#nodes.slice(first), ...this.#nodes.slice(0, first)];
    const rested = rotated.filter(({ restsUntil }) => restsUntil !== 0 && restsUntil <= now);
    const healthy = rotated.filter(({ restsUntil }) => restsUntil === 0);
    const usable = healthy.length > 0 ? healthy : rotated.filter(({ hangs }) => hangs);
    if (usable.length > 0) {
      for (const node of rested) this.#check(node);
      const [slow, quick] = [true, false].map((isSlow) => usable.filter((node) => isSlowToCheck(node) === isSlow));
      return [...quick!, ...slow!];
    }
    for (const node of rested.slice(0, 1)) this.#rest(node);
    return rested.slice(0, 1);
  }

  #noteFailure(node: ClusterNode, error: unknown): void {
    if (error instanceof Overload) this.#wake(node);
    else if (!isTimeout(error)) this.#rest(node);
  }

  #wake(node: ClusterNode): void {
    node.restsUntil = 0;
    node.hangs = false;
  }

  #rest(node: ClusterNode, reason?: unknown): void {
    node.restsUntil = performance.now() + this.#restMs;
    node.hangs = isTimeout(reason);
  }

  /**
   * Returns the nodes that neither rest nor seem to hang, in the form that searches expect. Returns undefined if no
   * node rests or seems to hang. This is needed because OpenSearch itself takes up to half a minute to notice that a
   * node hangs. Until then, it waits for the copies of the data on that node.
   */
  #preference(): string | undefined {
    const awake = this.#nodes.filter((node) => node.restsUntil === 0 && !isSlowToCheck(node));
    if (awake.length === 0 || awake.length === this.#nodes.length) return undefined;
    const ids = awake.map(({ id }) => id);
    return ids.includes(undefined) ? undefined : `_prefer_nodes:${ids.join()}`;
  }

  /** Reads the cluster's name for a node. */
  #learnId(node: ClusterNode): void {
    if (node.id !== undefined || node.isAsked) return;
    node.isAsked = true;
    const request = { method: 'GET', path: '/_nodes/_local?filter_path=nodes.*.name' } as const;
    const done = (answer?: unknown) => {
      node.isAsked = false;
      node.id = Object.keys((answer as { nodes?: object } | undefined)?.nodes ?? {})[0];
    };
    this.#ask(node, request, CHECK_MS).then(done, () => done());
  }

  /** Checks all nodes if the request takes long. */
  async #askAndWatch(node: ClusterNode, request: ClusterRequest, patienceMs: number): Promise<unknown> {
    const timer = setTimeout(() => {
      for (const each of this.#nodes) if (each.restsUntil === 0) this.#check(each);
    }, SLOW_MS);
    try {
      return await this.#ask(node, request, patienceMs);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Checks a node. If it does not respond, the node rests. */
  #check(node: ClusterNode): void {
    if (node.checkedSince !== 0) return;
    node.checkedSince = performance.now();
    this.#ask(node, { method: 'HEAD', path: '/' }, this.#checkMs).then(
      () => {
        node.checkedSince = 0;
        this.#wake(node);
      },
      (error) => {
        node.checkedSince = 0;
        // A node that is overloaded still responds, and so does a node whose user lacks the right for the check.
        if (error instanceof Overload || error instanceof OperatorError) this.#wake(node);
        else this.#rest(node, error);
      },
    );
  }

  async #ask(
    node: ClusterNode,
    { method, path, body }: Omit<ClusterRequest, 'deadlineMs'>,
    patienceMs: number,
  ): Promise<unknown> {
    const signal = AbortSignal.timeout(Math.ceil(patienceMs));
    const pool = await node.pool;
    const answer = await pool.request({
      method,
      path,
      signal,
      headers: { ...node.headers, ...(body && { 'content-type': typeOf(body) }) },
      body: body ? textOf(body) : null,
    });
    const text = await answer.body.text();
    const status = answer.statusCode;
    const said = `the node returned ${status}: ${text.slice(0, MAX_MESSAGE)}`;
    if (status === OVERLOADED) throw new Overload(said);
    if (AWAY.has(status)) throw new Error(said);
    if (status === 404) return null;
    if (status < 300) return text === '' ? {} : JSON.parse(text);
    if (status === 401 || status === 403) throw new OperatorError(rightsMessage(status, text));
    const { type, reason } = errorIn(text);
    throw new ClusterRefusal(status, type, `the search cluster refused ${method} ${path.split('?')[0]}: ${reason}`);
  }
}

class Overload extends Error {}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

interface ClusterNode {
  pool: Promise<Pool>;
  headers: Record<string, string>;
  /** Time when the node gets requests again, on the clock of `performance.now`. 0 if the node works. */
  restsUntil: number;
  /** Whether the node rests because it did not respond to a check in time. */
  hangs: boolean;
  /** The cluster's name for the node. Undefined until the name is known. */
  id: string | undefined;
  isAsked: boolean;
  /**
   * Start of the check to which the node has not responded yet, on the clock of `performance.now`. 0 if there is no
   * such check.
   */
  checkedSince: number;
}

function isSlowToCheck({ checkedSince }: ClusterNode): boolean {
  return checkedSince !== 0 && performance.now() - checkedSince > SLOW_MS;
}

function openNode(url: string, { ca, user }: Pick<ClientOptions, 'ca' | 'user'>): ClusterNode {
  const basic = user && Buffer.from(`${user.name}:${user.password}`).toString('base64');
  return {
    pool: openPool(new URL(url).origin, ca),
    headers: basic === undefined ? {} : { authorization: `Basic ${basic}` },
    ...{ restsUntil: 0, hangs: false, id: undefined, isAsked: false, checkedSince: 0 },
  };
}

/** Loads the library here, because it takes 30 ms and most services have no cluster. */
async function openPool(origin: string, ca: string | undefined): Promise<Pool> {
  const { Pool } = await import('undici');
  // Each request has its own deadline, which can be longer than the usual limits.
  const limits = { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 };
  return new Pool(origin, { ...limits, connect: { timeout: CONNECT_MS, ...(ca && { ca }) } });
}

function typeOf(body: object | readonly object[]): string {
  return Array.isArray(body) ? 'application/x-ndjson' : 'application/json';
}

function textOf(body: object | readonly object[]): string {
  return Array.isArray(body) ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(body);
}

function rightsMessage(status: number, text: string): string {
  const reason = errorIn(text).reason;
  return status === 401
    ? `The search cluster does not accept the user in ZOETROPE_OPENSEARCH_OPTIONS and ZOETROPE_OPENSEARCH_PASSWORD: ${reason}`
    : `The user in ZOETROPE_OPENSEARCH_OPTIONS lacks a right: ${reason}`;
}

/** Returns the reason in a response. The response is JSON, except if a proxy sent it. */
function errorIn(text: string): { type: string; reason: string } {
  try {
    const { error } = JSON.parse(text) as { error: { type?: string; reason?: string } | string };
    if (typeof error === 'object')
      return { type: error.type ?? '', reason: (error.reason ?? '').slice(0, MAX_MESSAGE) };
  } catch {
    // Not JSON, so the text itself is the reason.
  }
  return { type: '', reason: text.slice(0, MAX_MESSAGE) };
}
