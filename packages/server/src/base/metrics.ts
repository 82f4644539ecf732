const OPERATIONS = ['search', 'suggest', 'similar'] as const;
const CLIENTS = ['development', 'registered'] as const;
/**
 * Outcomes of a request. kept: the response came from the cache. made: it was computed. degraded: it was computed
 * without search by meaning. refused: 4xx, because of the request. failed: 5xx, because of this service.
 */
const OUTCOMES = ['kept', 'made', 'degraded', 'refused', 'failed'] as const;

export type OperationName = (typeof OPERATIONS)[number];
type Outcome = (typeof OUTCOMES)[number];

/** The facts about a response that the metrics count. */
export interface Counted {
  operation: OperationName;
  client: (typeof CLIENTS)[number];
  outcome: Outcome;
  /** Time from reading the request to sending the response. */
  milliseconds: number;
}

/**
 * Upper bounds of the latency histogram, in milliseconds. They cover cached responses, searches, embeddings and
 * deadlines.
 */
export const BOUNDS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000] as const;

const SECONDS: readonly number[] = BOUNDS.map((bound) => bound / 1_000);

/** Counts of one operation since the service started. */
export interface OperationCounts {
  outcomes: Readonly<Record<Outcome, number>>;
  /** Responses by their time: one number for each of BOUNDS, and a last one for slower responses. */
  times: readonly number[];
}

/**
 * Outcomes of a request for an image. kept: the image came from the store or from memory. made: it was made for this
 * request. missing: 404. refused: any other 4xx. unavailable: 5xx. cut: the caller closed the connection, or the store
 * failed midway.
 */
const IMAGE_OUTCOMES = ['kept', 'made', 'unchanged', 'redirected', 'missing', 'refused', 'unavailable', 'cut'] as const;
export type ImageOutcome = (typeof IMAGE_OUTCOMES)[number];

/**
 * Outcomes of making a file. refused: because of the file or the server that has it. failed: because of this service,
 * its disk or its store.
 */
const JOB_OUTCOMES = ['made', 'refused', 'failed'] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/**
 * Outcomes of searches that are to be compared with another engine. busy: too many comparisons were running. missing:
 * the other engine has no index. failed: the other engine returned an error, or nothing in time.
 */
const COMPARISON_OUTCOMES = ['compared', 'busy', 'missing', 'failed'] as const;
export type ComparisonOutcome = (typeof COMPARISON_OUTCOMES)[number];

/** Upper bounds of the histogram of overlaps. */
const SHARES = [0.5, 0.75, 0.9, 0.99, 1] as const;

const ANSWERS = OPERATIONS.length * CLIENTS.length * OUTCOMES.length;
/**
 * Number of counters of a histogram of times: one for each bucket, one for larger values, and one for the sum in
 * microseconds.
 */
const HISTOGRAM: number = BOUNDS.length + 2;
/** Positions of the counters. */
const IMAGES: number = ANSWERS + OPERATIONS.length * HISTOGRAM;
const JOBS: number = IMAGES + IMAGE_OUTCOMES.length;
const COMPARISONS: number = JOBS + JOB_OUTCOMES.length;
const OVERLAPS: number = COMPARISONS + COMPARISON_OUTCOMES.length;
/** A histogram of shares has the same kinds of counters as a histogram of times, but its sum is in millionths. */
const COMPARISON_TIMES: number = OVERLAPS + SHARES.length + 2;
const COUNTERS: number = COMPARISON_TIMES + HISTOGRAM;

/** Returns shared memory for the counters of this many threads. */
export function memoryForMetrics(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * COUNTERS * Float64Array.BYTES_PER_ELEMENT);
}

/**
 * Counters in shared memory. They count responses and never record callers or queries. Each thread writes only its own
 * counters, so counting is a plain addition. The counters of all threads are summed when they are read. All supported
 * processors read 64-bit numbers atomically.
 */
export class Metrics {
  readonly memory: SharedArrayBuffer;
  readonly #counts: Float64Array;

  /** @param thread number of the thread, from 0. The number must be unique in this memory. */
  constructor(memory: SharedArrayBuffer, thread: number) {
    this.memory = memory;
    this.#counts = new Float64Array(memory, thread * COUNTERS * Float64Array.BYTES_PER_ELEMENT, COUNTERS);
  }

  count({ operation, client, outcome, milliseconds }: Counted): void {
    const at = OPERATIONS.indexOf(operation);
    this.#counts[answerAt(at, CLIENTS.indexOf(client), OUTCOMES.indexOf(outcome))]!++;
    this.#countTime(ANSWERS + at * HISTOGRAM, milliseconds);
  }

  /** Counts a search that was compared with another engine. @param overlap the share of GIFs that both engines found */
  countComparison({ overlap, milliseconds }: { overlap: number; milliseconds: number }): void {
    this.countNoComparison('compared');
    this.#countIn(OVERLAPS, SHARES, overlap, overlap * 1_000_000);
    this.#countTime(COMPARISON_TIMES, milliseconds);
  }

  /** Counts a search that could not be compared with another engine. */
  countNoComparison(outcome: ComparisonOutcome): void {
    this.#counts[COMPARISONS + COMPARISON_OUTCOMES.indexOf(outcome)]!++;
  }

  #countTime(start: number, milliseconds: number): void {
    this.#countIn(start, BOUNDS, milliseconds, milliseconds * 1_000);
  }

  #countIn(start: number, bounds: readonly number[], value: number, millionths: number): void {
    const within = bounds.findIndex((bound) => value <= bound);
    this.#counts[start + (within < 0 ? bounds.length : within)]!++;
    this.#counts[start + bounds.length + 1]! += Math.round(millionths);
  }

  /** Counts a request for an image or video. */
  countImage(outcome: ImageOutcome): void {
    this.#counts[IMAGES + IMAGE_OUTCOMES.indexOf(outcome)]!++;
  }

  /** Counts an attempt to make a preview or video on request. */
  countJob(outcome: JobOutcome): void {
    this.#counts[JOBS + JOB_OUTCOMES.indexOf(outcome)]!++;
  }

  /** Returns the counts of an operation, of all threads and kinds of clients. */
  countsOf(operation: OperationName): OperationCounts {
    const at = OPERATIONS.indexOf(operation);
    const sum = (outcome: number) =>
      CLIENTS.reduce((total, _, client) => total + this.#load(answerAt(at, client, outcome)), 0);
    const outcomes = Object.fromEntries(OUTCOMES.map((name, n) => [name, sum(n)])) as Record<Outcome, number>;
    const times = Array.from({ length: BOUNDS.length + 1 }, (_, n) => this.#load(ANSWERS + at * HISTOGRAM + n));
    return { outcomes, times };
  }

  /** Returns the metrics in Prometheus format. */
  text(): string {
    const images = this.#outcomes(IMAGES, IMAGE_OUTCOMES);
    const jobs = this.#outcomes(JOBS, JOB_OUTCOMES);
    return [
      metric('zoetrope_answers_total', 'counter', 'Responses sent', this.#answers()),
      metric(
        'zoetrope_answer_seconds',
        'histogram',
        'Time from reading a request to sending its response',
        this.#latencies(),
      ),
      metric('zoetrope_media_requests_total', 'counter', 'Requested images and videos', images),
      metric('zoetrope_media_jobs_total', 'counter', 'Attempts to make a preview or video on request', jobs),
    ].join('');
  }

  /** Returns the metrics of comparisons with another engine, in Prometheus format. */
  comparisonsText(): string {
    const outcomes = this.#outcomes(COMPARISONS, COMPARISON_OUTCOMES);
    return [
      metric('zoetrope_shadow_searches_total', 'counter', 'Searches to compare with the search cluster', outcomes),
      metric(
        'zoetrope_shadow_overlap',
        'histogram',
        'Share of the first 24 GIFs that the search cluster also found',
        this.#histogram(OVERLAPS, SHARES),
      ),
      metric(
        'zoetrope_shadow_seconds',
        'histogram',
        'Time of compared searches in the search cluster',
        this.#histogram(COMPARISON_TIMES, SECONDS),
      ),
    ].join('');
  }

  #outcomes(start: number, outcomes: readonly string[]): Sample[] {
    return outcomes.map((outcome, i) => ({ labels: { outcome }, value: this.#load(start + i) }));
  }

  *#answers(): Generator<Sample> {
    for (const [i, operation] of OPERATIONS.entries()) {
      for (const [j, client] of CLIENTS.entries()) {
        for (const [k, outcome] of OUTCOMES.entries()) {
          yield { labels: { operation, client, outcome }, value: this.#load(answerAt(i, j, k)) };
        }
      }
    }
  }

  *#latencies(): Generator<Sample> {
    for (const [i, operation] of OPERATIONS.entries())
      yield* this.#histogram(ANSWERS + i * HISTOGRAM, SECONDS, { operation });
  }

  *#histogram(start: number, bounds: readonly number[], labels: Record<string, string> = {}): Generator<Sample> {
    let sum = 0;
    for (const [k, le] of [...bounds, '+Inf'].entries()) {
      sum += this.#load(start + k);
      yield { suffix: '_bucket', labels: { ...labels, le: String(le) }, value: sum };
    }
    yield { suffix: '_sum', labels, value: this.#load(start + bounds.length + 1) / 1e6 };
    yield { suffix: '_count', labels, value: sum };
  }

  #load(at: number): number {
    const all = new Float64Array(this.memory);
    let sum = 0;
    for (let of = at; of < all.length; of += COUNTERS) sum += all[of]!;
    return sum;
  }
}

function answerAt(operation: number, client: number, outcome: number): number {
  return (operation * CLIENTS.length + client) * OUTCOMES.length + outcome;
}

/** One number of a metric. */
export interface Sample {
  value: number;
  /** Labels that distinguish this number from the metric's other numbers. */
  labels?: Readonly<Record<string, string>>;
  /** Suffix of the number's name, such as `_sum` of a histogram. */
  suffix?: string;
}

/** Returns a metric in Prometheus format (text exposition format 0.0.4), ending in a newline. */
export function metric(
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  samples: Iterable<Sample>,
): string {
  const lines = Array.from(samples, ({ value, labels = {}, suffix = '' }) => {
    return `${name}${suffix}${labelsOf(labels)} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
