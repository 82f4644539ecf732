const OPERATIONS = ['search', 'suggest', 'similar'] as const;
const CLIENTS = ['development', 'registered'] as const;
/**
 * Outcomes of a request. kept: the response came from the cache. made: it was computed. degraded: it was computed
 * without search by meaning. refused: 4xx, because of the request. failed: 5xx, because of this service.
 */
const OUTCOMES = ['kept', 'made', 'degraded', 'refused', 'failed'] as const;

export type OperationName = (typeof OPERATIONS)[number];
type Outcome = (typeof OUTCOMES)[number];

/** The facts about a response that are counted. */
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

const ANSWERS = OPERATIONS.length * CLIENTS.length * OUTCOMES.length;
/**
 * Number of counters per operation: one for each bucket, one for larger values, and one for the sum in microseconds.
 */
const HISTOGRAM: number = BOUNDS.length + 2;
/** Positions of the counters. */
const IMAGES: number = ANSWERS + OPERATIONS.length * HISTOGRAM;
const JOBS: number = IMAGES + IMAGE_OUTCOMES.length;
const COUNTERS: number = JOBS + JOB_OUTCOMES.length;

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
    const beyond = BOUNDS.findIndex((bound) => milliseconds <= bound);
    const histogram = ANSWERS + at * HISTOGRAM;
    this.#counts[histogram + (beyond < 0 ? BOUNDS.length : beyond)]!++;
    this.#counts[histogram + BOUNDS.length + 1]! += Math.round(milliseconds * 1_000);
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
    for (const [i, operation] of OPERATIONS.entries()) {
      const start = ANSWERS + i * HISTOGRAM;
      let sum = 0;
      for (const [k, bound] of [...BOUNDS, Number.POSITIVE_INFINITY].entries()) {
        sum += this.#load(start + k);
        const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound / 1_000);
        yield { suffix: '_bucket', labels: { operation, le }, value: sum };
      }
      yield { suffix: '_sum', labels: { operation }, value: this.#load(start + BOUNDS.length + 1) / 1e6 };
      yield { suffix: '_count', labels: { operation }, value: sum };
    }
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
