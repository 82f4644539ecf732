import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { pause } from '../base/repeat.ts';
import type { Database } from '../platform/db/index.ts';
import {
  comparesSets,
  countEvents,
  eventsSeen,
  findProgress,
  noteRelayState,
  type Progress,
  RelayConnection,
  RelayError,
  type RelayEvent,
  readBackwards,
  type Span,
  type StreamKey,
  saveProgress,
} from '../platform/relay/index.ts';
import type { Intake } from './intake.ts';
import type { Stream } from './streams.ts';

/** Time before a disconnection that is read again, in seconds, because clocks differ and relays receive events late. */
const OVERLAP = 3_600;
/**
 * Maximum time by which the timestamp of an event can be in the future, in seconds. Events with later timestamps are
 * not accepted.
 */
const AHEAD = 900;
/** Maximum number of ids per request. */
const IDS = 250;
/** Time between two batches of arriving events, in milliseconds. */
const FLUSH_MS = 200;
/** While no events arrive, the progress is saved each time this number of milliseconds has passed. */
const IDLE_MS = 60_000;
/**
 * If more than this number of milliseconds pass between two batches, the machine has slept, because no batch takes so
 * long.
 */
const ASLEEP_MS = 300_000;
/** Maximum number of waiting events. Further events are read later, page by page. */
const MAX_WAITING = 5_000;
const BATCH = 500;
/** Time between two searches for missed events in the whole range, in seconds. */
const REPAIR = 24 * 3_600;
/**
 * Pauses before reconnecting, in milliseconds. Each further failure in a row uses the next pause. The last pause is
 * repeated. A connection counts as a success when all missed events have been read.
 */
const BACK_OFF_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000];

export interface FollowOptions {
  url: string;
  db: Database;
  intake: Pick<Intake, 'take'>;
  streams: readonly Stream[];
  /** Name of the set of authors. When the name changes, everything is read again. */
  authors: string;
  clock: Clock;
  log: Log;
  /** Called when all events that the relay had have been read. */
  onCaughtUp?(): void;
  /** Waits before reconnecting. Tests do not wait. */
  pause?: typeof pause;
  signal: AbortSignal;
}

/**
 * Reads a relay until the signal aborts. First reads missed events, then arriving events. Reconnects after a
 * disconnection.
 */
export async function followRelay(options: FollowOptions): Promise<void> {
  const { url, db, clock, log, signal, pause: rest = pause } = options;
  let failures = 0;
  while (!signal.aborted) {
    let error: string;
    try {
      error = await readUntilEnd(options, () => {
        failures = 0;
      });
    } catch (caught) {
      if (signal.aborted) break;
      if (!(caught instanceof RelayError)) throw caught;
      error = caught.message;
    }
    if (signal.aborted) break;
    log.info({ relay: url, error }, 'a relay is unavailable');
    await noteRelayState(db, url, { state: 'waiting', error, now: clock.now() });
    await rest(BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!, signal);
  }
  await noteRelayState(db, url, { state: 'stopped', now: clock.now() });
}

/** Reads all events of a relay once. @throws RelayError if the relay cannot be read to its end */
export async function catchUp(options: FollowOptions): Promise<void> {
  const { url, db, clock } = options;
  const line = await open(options);
  try {
    await noteRelayState(db, url, { state: 'connected', now: clock.now() });
    for (const track of line.tracks) await line.fillGaps(track);
    await noteRelayState(db, url, { state: 'stopped', now: clock.now() });
  } finally {
    await line.close();
  }
}

/** @returns the reason why the connection closed */
async function readUntilEnd(options: FollowOptions, onSuccess: () => void): Promise<string> {
  const { url, db, clock, onCaughtUp, signal } = options;
  const line = await open(options);
  const stop = () => void line.close();
  signal.addEventListener('abort', stop);
  try {
    await noteRelayState(db, url, { state: 'connected', now: clock.now() });
    line.listen();
    for (;;) {
      for (const track of line.tracks) await line.fillGaps(track);
      onSuccess();
      onCaughtUp?.();
      const ended = await Promise.race([line.ended, line.untilRepair()]);
      if (ended !== 'repair') return ended;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await line.close();
  }
}

async function open(options: FollowOptions): Promise<Line> {
  const { url, db, streams, authors, clock } = options;
  const refused = new Map<string, number>();
  const connection = await RelayConnection.open({
    url,
    onRefused: (reason) => refused.set(reason, (refused.get(reason) ?? 0) + 1),
  });
  const compares = await comparesSets(url);
  const now = Math.floor(clock.now() / 1_000);
  const tracks: Track[] = [];
  for (const stream of streams) {
    const key = { relay: url, stream: stream.name, filter: `${JSON.stringify(stream.filter)} ${authors}` };
    const progress = await findProgress(db, key);
    tracks.push({ stream, key, progress: withMissed(stream, progress, { now, compares }) });
  }
  return new Line(options, connection, { tracks, compares, refused });
}

/** Adds the time since the last connection to the gaps. Once a day, adds the whole range instead. */
function withMissed(
  stream: Stream,
  { gaps, head, repairedAt }: Progress,
  { now, compares }: { now: number; compares: boolean },
): Progress {
  const until = now + AHEAD;
  if (head === 0) return { head: now, gaps: [{ since: stream.since(now), until }], repairedAt: now };
  const isDue = now - repairedAt >= REPAIR;
  // If sets can be compared, the whole range is read, because comparing the whole range costs no more than comparing an
  // hour.
  const isWhole = isDue || (compares && stream.isCompared);
  const since = Math.min(head - OVERLAP, isWhole ? stream.repairSince(now) : head);
  return { head: now, gaps: united([...gaps, { since, until }]), repairedAt: isDue ? now : repairedAt };
}

/** A stream of this relay with its progress. */
interface Track {
  stream: Stream;
  key: StreamKey;
  progress: Progress;
}

function united(gaps: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const gap of gaps.toSorted((a, b) => a.since - b.since)) {
    const last = merged.at(-1);
    if (last && gap.since <= last.until) last.until = Math.max(last.until, gap.until);
    else merged.push({ ...gap });
  }
  return merged;
}

/** A connection to a relay, which reads its streams. */
class Line {
  readonly tracks: readonly Track[];
  readonly ended: Promise<string>;
  readonly #options: FollowOptions;
  readonly #connection: RelayConnection;
  readonly #compares: boolean;
  readonly #refused: Map<string, number>;
  readonly #waiting = new Map<Track, RelayEvent[]>();
  readonly #closed = new AbortController();
  readonly #openedAt: number;
  #listening: Promise<void> = Promise.resolve();

  constructor(
    options: FollowOptions,
    connection: RelayConnection,
    { tracks, compares, refused }: { tracks: Track[]; compares: boolean; refused: Map<string, number> },
  ) {
    this.tracks = tracks;
    this.#options = options;
    this.#connection = connection;
    this.#compares = compares;
    this.#refused = refused;
    this.#openedAt = options.clock.now();
    this.ended = connection.ended.then(async (reason) => {
      await this.#listening;
      return reason;
    });
    this.ended.catch(() => {}); // callers who wait for `ended` get the error
  }

  /** Processes new events in batches. */
  listen(): void {
    for (const track of this.tracks) {
      this.#waiting.set(track, []);
      this.#connection.listen(track.stream.filter, (event) => {
        const waiting = this.#waiting.get(track)!;
        waiting.push(event);
        if (waiting.length > MAX_WAITING) this.#connection.close();
      });
    }
    this.#listening = this.#takeWhatComes();
    this.#listening.catch(() => this.#connection.close());
  }

  async #takeWhatComes(): Promise<void> {
    const { signal } = this.#closed;
    void this.#connection.ended.then(() => this.#closed.abort());
    let lookedAt = this.#openedAt;
    let savedAt = this.#openedAt;
    while (!signal.aborted) {
      await pause(FLUSH_MS, signal); // events that have arrived are still processed
      const now = this.#options.clock.now();
      // The machine has slept, so events may have been missed, and the connection may be dead.
      if (now - lookedAt > ASLEEP_MS) return this.#connection.close();
      lookedAt = now;
      const isIdle = now - savedAt > IDLE_MS;
      for (const [track, waiting] of this.#waiting) {
        const events = waiting.splice(0);
        if (events.length === 0 && !isIdle) continue;
        track.progress.head = Math.max(track.progress.head, Math.floor(now / 1_000));
        await this.#take(track, events);
      }
      if (isIdle) savedAt = now;
    }
  }

  /** Reads the gaps of a stream, newest first. */
  async fillGaps(track: Track): Promise<void> {
    await saveProgress(this.#options.db, track.key, track.progress);
    for (let gap = track.progress.gaps.at(-1); gap; gap = track.progress.gaps.at(-1)) {
      const compared = this.#compares && track.stream.isCompared && (await this.#compare(track, gap));
      if (!compared) await this.#page(track, gap);
      track.progress.gaps.pop();
      await this.#take(track, []);
    }
  }

  /** Compares sets with the relay. @returns false if the relay does not support the comparison after all */
  async #compare(track: Track, { since, until }: Span): Promise<boolean> {
    const { db, log, url } = this.#options;
    const known = (await eventsSeen(db, track.stream.name)).filter(
      ({ createdAt }) => createdAt >= since && createdAt <= until,
    );
    let missing: string[];
    try {
      missing = await this.#connection.missing({ ...track.stream.filter, since, until }, known);
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      log.info(
        { relay: url, stream: track.stream.name, reason: error.message },
        'set comparison failed; reading page by page instead',
      );
      return false;
    }
    for (let from = 0; from < missing.length; from += IDS) {
      this.#options.signal.throwIfAborted();
      await this.#take(track, await this.#connection.byId(missing.slice(from, from + IDS)));
    }
    return true;
  }

  async #page(track: Track, gap: Span): Promise<void> {
    const { log, url, signal } = this.#options;
    const paging = {
      page: (filter: Parameters<RelayConnection['page']>[0]) => this.#connection.page(filter),
      onGap: (second: number) =>
        log.warn(
          { relay: url, stream: track.stream.name, second },
          'one second has more events than the relay returns',
        ),
    };
    // Requests the next page while the current one is processed.
    let taking = Promise.resolve();
    try {
      for await (const { events, from } of readBackwards(paging, track.stream.filter, { ...gap })) {
        await taking;
        signal.throwIfAborted();
        gap.until = from;
        taking = this.#take(track, events);
        taking.catch(() => {}); // `await taking` throws the error, either before the next page is processed or after the last page
      }
      await taking;
    } finally {
      await taking.catch(() => {}); // the same error was already thrown above
    }
  }

  async #take({ key, stream, progress }: Track, events: readonly RelayEvent[]): Promise<void> {
    const { db, intake } = this.#options;
    if (this.#refused.size > 0) {
      const counts = new Map(this.#refused);
      this.#refused.clear();
      await countEvents(db, key.relay, counts);
    }
    let from = 0;
    do {
      await intake.take({ key, stream, events: events.slice(from, from + BATCH), progress });
      from += BATCH;
    } while (from < events.length);
  }

  /** Resolves when it is time to look for missed events. */
  async untilRepair(): Promise<'repair'> {
    const { clock } = this.#options;
    const due = 1_000 * (REPAIR + Math.min(...this.tracks.map(({ progress }) => progress.repairedAt)));
    while (clock.now() < due) {
      await wait(FLUSH_MS, undefined, { signal: this.#closed.signal }).catch(() => new Promise(() => {})); // the connection is closed
    }
    const now = Math.floor(clock.now() / 1_000);
    for (const track of this.tracks) {
      track.progress = withMissed(track.stream, track.progress, { now, compares: this.#compares });
    }
    return 'repair';
  }

  /** Processes the events that have arrived, then closes the connection. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#connection.close();
    await this.#listening.catch(() => {}); // reported by `ended`
  }
}
