import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { DownloadError } from '../../platform/fetch/index.ts';

/** How long nothing is asked of a host that does not answer. */
const REST_MS = 30_000;
/** One answer that takes too long may be the file's fault. */
const MOST_TIMEOUTS = 2;
const MAX_REMEMBERED = 10_000;

/** A host that did not answer a moment ago was not asked again. That says nothing of the file. */
export class HostResting extends DownloadError {
  constructor(host: string) {
    super('unreachable', `${host} did not answer a moment ago`);
  }
}

/** Remembers for a moment which hosts do not answer, so that what they have keeps nobody waiting. */
export class Hosts {
  readonly #clock: Clock;
  readonly #silent = new LRUCache<string, { timeouts: number; until: number }>({ max: MAX_REMEMBERED });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Downloads from a host, unless that rests. @throws HostResting, or what the download throws */
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

/** Name and port; empty for what is no address. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
