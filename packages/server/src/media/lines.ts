import { ServiceError } from '../base/errors.ts';
import { atMost } from './at-most.ts';

/** Kinds of jobs. Each kind has its own queue, so that no kind blocks the others. */
export type Line = 'image' | 'video' | 'linked';

/**
 * Factor for the number of places in the queue for linked originals. Waiting for a slow server costs only a connection,
 * so many jobs can wait.
 */
const LINKED_PLACES = 10;
/** Maximum share of the places for one host, so that a dead host does not block the others. */
const HOST_SHARE = 0.5;
/**
 * Maximum number of concurrent downloads, because each can hold a whole original in memory. One host gets only a part
 * of these downloads.
 */
const DOWNLOADS = 16;
const DOWNLOADS_OF_HOST = 4;
/** Maximum number of stored originals per worker that are in memory at the same time. */
const ORIGINALS_PER_WORKER = 2;

const RETRY_AFTER_S = 5;

interface Job {
  line: Line;
  /** Host of a linked original. Empty for own files. */
  host: string;
}

type Turn = ReturnType<typeof atMost>;

/**
 * The queues for jobs. There is one queue for previews of stored files, one for videos, and one for linked files. The
 * queue for linked files limits each host.
 */
export class Lines {
  readonly #places: Readonly<Record<Line, number>>;
  readonly #waiting: Record<Line, number> = { image: 0, video: 0, linked: 0 };
  readonly #hosts = new Map<string, { waiting: number; turn: Turn }>();
  readonly #imageTurn: Turn;
  readonly #videoTurn: Turn;
  readonly #linkedTurn = atMost(DOWNLOADS);

  /** @param places number of places per queue. The queue for linked originals has ten times as many. */
  constructor(places: number, workers: number) {
    this.#places = { image: places, video: places, linked: places * LINKED_PLACES };
    this.#imageTurn = atMost(workers * ORIGINALS_PER_WORKER);
    this.#videoTurn = atMost(workers * ORIGINALS_PER_WORKER);
  }

  /**
   * Takes a place in the queue.
   * @returns a function that frees the place
   * @throws ServiceError `upstream_unavailable` if the queue is full
   */
  enter({ line, host }: Job): () => void {
    const isFull = this.#waiting[line] >= this.#places[line];
    const ofHost = this.#hosts.get(host) ?? { waiting: 0, turn: atMost(DOWNLOADS_OF_HOST) };
    if (isFull || (line === 'linked' && ofHost.waiting >= this.#places.linked * HOST_SHARE)) {
      const what = line === 'video' ? 'videos' : 'previews';
      const message = `${isFull ? this.#places[line] : ofHost.waiting} ${what} are already being made`;
      throw new ServiceError('upstream_unavailable', message, { retryAfter: RETRY_AFTER_S });
    }
    this.#waiting[line]++;
    ofHost.waiting++;
    this.#hosts.set(host, ofHost);
    return () => {
      this.#waiting[line]--;
      ofHost.waiting--;
      if (ofHost.waiting === 0) this.#hosts.delete(host);
    };
  }

  /** Runs a job when its turn comes. Before that, call `enter`, which takes a place in the queue for the job. */
  run<Result>({ line, host }: Job, act: () => Promise<Result>): Promise<Result> {
    if (line === 'image') return this.#imageTurn(act);
    if (line === 'video') return this.#videoTurn(act);
    return this.#hosts.get(host)!.turn(() => this.#linkedTurn(act));
  }
}
