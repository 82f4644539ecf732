import { ServiceError } from '../base/errors.ts';
import { atMost } from './at-most.ts';

/** What waits in a line of its own, so that it keeps nobody else from being served. */
export type Line = 'image' | 'video' | 'linked';

/** Who waits for a slow server costs no more than a connection, so there may be many. */
const LINKED_PLACES = 10;
/** Of those, one host's share: others must find a place when it is dead. */
const HOST_SHARE = 0.5;
/** Downloads at once: each may hold a whole original in memory. One host has a part of them. */
const DOWNLOADS = 16;
const DOWNLOADS_OF_HOST = 4;
/** Originals of our own in memory at once, for each worker. */
const ORIGINALS_PER_WORKER = 2;

const RETRY_AFTER_S = 5;

interface Job {
  line: Line;
  /** Where a linked original lies; empty for one of our own. */
  host: string;
}

type Turn = ReturnType<typeof atMost>;

/** The lines in which jobs wait for their turn: previews of our own files, videos, and what is linked, by host. */
export class Lines {
  readonly #places: Readonly<Record<Line, number>>;
  readonly #waiting: Record<Line, number> = { image: 0, video: 0, linked: 0 };
  readonly #hosts = new Map<string, { waiting: number; turn: Turn }>();
  readonly #imageTurn: Turn;
  readonly #videoTurn: Turn;
  readonly #linkedTurn = atMost(DOWNLOADS);

  /** @param places in each line; for linked originals ten times as many */
  constructor(places: number, workers: number) {
    this.#places = { image: places, video: places, linked: places * LINKED_PLACES };
    this.#imageTurn = atMost(workers * ORIGINALS_PER_WORKER);
    this.#videoTurn = atMost(workers * ORIGINALS_PER_WORKER);
  }

  /** Takes a place. @returns gives it back. @throws ServiceError `upstream_unavailable` when there is none */
  enter({ line, host }: Job): () => void {
    const isFull = this.#waiting[line] >= this.#places[line];
    const ofHost = this.#hosts.get(host) ?? { waiting: 0, turn: atMost(DOWNLOADS_OF_HOST) };
    if (isFull || (line === 'linked' && ofHost.waiting >= this.#places.linked * HOST_SHARE)) {
      const what = line === 'video' ? 'videos' : 'previews';
      const message = `${isFull ? this.#places[line] : ofHost.waiting} ${what} are being made already`;
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

  /** Does a job that has a place when its turn comes. */
  run<Result>({ line, host }: Job, act: () => Promise<Result>): Promise<Result> {
    if (line === 'image') return this.#imageTurn(act);
    if (line === 'video') return this.#videoTurn(act);
    return this.#hosts.get(host)!.turn(() => this.#linkedTurn(act));
  }
}
