import { metric, type Sample } from './prometheus.ts';

const OPERATIONS = ['search', 'suggest', 'similar'] as const;
const CLIENTS = ['development', 'registered'] as const;
/** Kept: had been made before. Degraded: without the meaning leg. Refused: any 4xx or 5xx. */
const OUTCOMES = ['kept', 'made', 'degraded', 'refused'] as const;

export type OperationName = (typeof OPERATIONS)[number];
type Outcome = (typeof OUTCOMES)[number];

/** What is counted of one answer. */
export interface Counted {
  operation: OperationName;
  client: (typeof CLIENTS)[number];
  outcome: Outcome;
  /** From reading the request to handing over the answer. */
  milliseconds: number;
}

/** Upper bounds of the histogram of latencies, in milliseconds: an answer kept, a search, an embedding, a deadline. */
const BOUNDS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000] as const;

/**
 * Kept: it lay in the store, or in memory. Made: it was made for this request. Missing: 404. Refused: any other 4xx.
 * Unavailable: 5xx. Cut: the caller hung up, or the store broke off.
 */
const IMAGE_OUTCOMES = ['kept', 'made', 'unchanged', 'redirected', 'missing', 'refused', 'unavailable', 'cut'] as const;
export type ImageOutcome = (typeof IMAGE_OUTCOMES)[number];

/** Refused: the file, or the server it is linked from, is to blame. Failed: this service, its disk or its store. */
const JOB_OUTCOMES = ['made', 'refused', 'failed'] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

const ANSWERS = OPERATIONS.length * CLIENTS.length * OUTCOMES.length;
/** For each operation the buckets, one for what is beyond them, and the sum of microseconds. */
const HISTOGRAM: number = BOUNDS.length + 2;
/** Where counters begin. */
const IMAGES: number = ANSWERS + OPERATIONS.length * HISTOGRAM;
const JOBS: number = IMAGES + IMAGE_OUTCOMES.length;
const COUNTERS: number = JOBS + JOB_OUTCOMES.length;

/** Memory for the counters of so many threads. */
export function memoryForMetrics(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * COUNTERS * Float64Array.BYTES_PER_ELEMENT);
}

/**
 * Counters in memory that all threads share. They count answers, and never say anything of who asked or what for.
 * Each thread has its own, so that counting is no more than adding; they are added up when somebody reads them. A number
 * of 64 bits is read whole by every processor that Node runs on.
 */
export class Metrics {
  readonly memory: SharedArrayBuffer;
  readonly #counts: Float64Array;

  /** @param thread the number, from 0, under which nobody else counts in this memory */
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

  /** An image or a video that was asked for. */
  countImage(outcome: ImageOutcome): void {
    this.#counts[IMAGES + IMAGE_OUTCOMES.indexOf(outcome)]!++;
  }

  /** A preview or a video that was to be made because somebody asked for it. */
  countJob(outcome: JobOutcome): void {
    this.#counts[JOBS + JOB_OUTCOMES.indexOf(outcome)]!++;
  }

  /** As Prometheus reads it. */
  text(): string {
    const images = this.#outcomes(IMAGES, IMAGE_OUTCOMES);
    const jobs = this.#outcomes(JOBS, JOB_OUTCOMES);
    return [
      metric('zoetrope_answers_total', 'counter', 'Answers given', this.#answers()),
      metric(
        'zoetrope_answer_seconds',
        'histogram',
        'From reading a request to handing over its answer',
        this.#latencies(),
      ),
      metric('zoetrope_media_requests_total', 'counter', 'Images and videos asked for', images),
      metric('zoetrope_media_jobs_total', 'counter', 'Previews and videos to be made on request', jobs),
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
