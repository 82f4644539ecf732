import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { DownloadError } from '../../platform/fetch/index.ts';

/** Time during which a host that did not respond gets no requests. */
const REST_MS = 30_000;
/** Number of timeouts after which a host counts as not responding. A single timeout can be due to the file. */
const MOST_TIMEOUTS = 2;
const MAX_REMEMBERED = 10_000;

/** The error if a host failed a moment ago and was not contacted again. The file may be fine. */
export class HostResting extends DownloadError {
  constructor(host: string) {
    super('unreachable', `${host} did not respond a moment ago`);
  }
}

/** Remembers for a while which hosts do not respond, so that no request waits for these hosts. */
export class Hosts {
  readonly #clock: Clock;
  readonly #silent = new LRUCache<string, { timeouts: number; until: number }>({ max: MAX_REMEMBERED });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Downloads from a host, unless the host is being avoided because it did not respond. @throws HostResting, or the
   * download's error
   */
  async ask<Result>(url: string, download: () => Promise<Result>): Promise<Result> {
    const host = hostOf(url);
    if ((this.#silent.get(host)?.until ?? 0) > this.#clock.now()) throw new HostResting(host);
    try {
      const result = await download();
      this.#silent.delete(host);
      return result;
    } catch (error) {
      this.#note(host, error);
      throw error;
    }
  }

  #note(host: string, error: unknown): void {
    if (!(error instanceof DownloadError)) return;
    if (error.reason !== 'timed_out' && error.reason !== 'unreachable') return void this.#silent.delete(host);
    const timeouts = (this.#silent.get(host)?.timeouts ?? 0) + 1;
    const rests = error.reason === 'unreachable' || timeouts >= MOST_TIMEOUTS;
    this.#silent.set(host, { timeouts, until: rests ? this.#clock.now() + REST_MS : 0 });
  }
}

/** Returns the host name and port, or an empty string if the string is not a URL. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
