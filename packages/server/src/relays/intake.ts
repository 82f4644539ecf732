import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import {
  type DeriveOptions,
  type EventBatch,
  keepClaimsOf,
  knownEvents,
  knownTargets,
  recordEvents,
} from '../claims/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import {
  countEvents,
  type EventRefusal,
  forgetEvents,
  isFromTheFuture,
  type Progress,
  type RelayEvent,
  rememberEvents,
  type StreamKey,
  saveProgress,
  seenEvents,
  type Verifier,
} from '../platform/relay/index.ts';
import type { Authors } from './authors.ts';
import { toFileEvent } from './events/file-event.ts';
import { readSaid } from './events/read-event.ts';
import type { Said, SaidNothing } from './events/said.ts';
import { type Cost, costOf, NOTHING, type QuotaLimits, Quotas } from './quotas.ts';
import type { Stream } from './streams.ts';

/**
 * Maximum number of remembered event ids. Several relays send the same event. With these ids, duplicates of recent
 * events are recognised without the database.
 */
const REMEMBERED = 100_000;

/** Outcome of processing an event. */
export type Outcome = 'taken' | 'known' | 'author' | 'unknown_target' | 'over_quota' | EventRefusal | SaidNothing;

export interface IntakeOptions {
  db: Database;
  verifier: Pick<Verifier, 'verify'>;
  clock: Clock;
  /** Minimum number of people who must have posted a GIF's URL, if the URL was posted without metadata. */
  minAuthors: number;
  /** Minimum number of trusted people who must mark a GIF as adult. */
  marks: number;
  /** Daily limits per author and per relay. */
  quotas: Pick<QuotaLimits, 'author' | 'relay'>;
}

/** A batch of events from one relay. */
export interface Batch {
  key: StreamKey;
  stream: Stream;
  events: readonly RelayEvent[];
  /** Progress of the stream after this batch. */
  progress: Progress;
}

interface Candidate {
  event: RelayEvent;
  said: Said;
}

/** Processes events from relays. Each batch is saved in one transaction, together with the progress. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #recent = new LRUCache<string, true>({ max: REMEMBERED });
  #authors: Authors;

  constructor(options: IntakeOptions, authors: Authors) {
    this.#options = options;
    this.#authors = authors;
  }

  /** Returns the options for deriving records now. */
  get deriving(): DeriveOptions {
    const { clock, minAuthors, marks } = this.#options;
    const counts = (author: string) => this.#authors.isNamed(author);
    return { minAuthors, now: Math.floor(clock.now() / 1_000), marks: { needed: marks, counts } };
  }

  /** From now on, accepts only these authors. Deletes the claims of all others. */
  async allow(authors: Authors): Promise<void> {
    this.#authors = authors;
    await inTransaction(this.#options.db, async (trx) => {
      const gone = await keepClaimsOf(trx, (author) => authors.allows(author), this.deriving);
      // The events are forgotten, because they must not be skipped as known if their authors are allowed again later.
      if (gone > 0) for (const stream of ['files', 'clips', 'packs', 'deletions']) await forgetEvents(trx, stream);
    });
    this.#recent.clear();
  }

  async take({ key, stream, events, progress }: Batch): Promise<void> {
    const counts = new Map<Outcome, number>();
    const note = (outcome: Outcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const wanted = await this.#affordable(await this.#wanted(stream, events, note), key.relay, note);
    const candidates = await this.#verified(wanted, note);
    const mine = new Set<string>();
    await inTransaction(this.#options.db, async (trx) => {
      // Another relay or stream may have sent the same event in the meantime.
      const news = candidates.filter(({ event: { id } }) => mine.has(id) || !this.#recent.has(id));
      const fresh = await this.#charged(trx, news, key.relay);
      await recordEvents(trx, this.#heardOf(fresh, key.relay), this.deriving);
      const taken = fresh.map(({ event }) => event);
      if (stream.isCompared) await rememberEvents(trx, stream.name, taken);
      const known = (counts.get('known') ?? 0) + candidates.length - news.length;
      const over = (counts.get('over_quota') ?? 0) + news.length - fresh.length;
      await countEvents(trx, key.relay, withCounts(counts, { taken: fresh.length, known, over_quota: over }));
      await saveProgress(trx, key, progress);
      for (const { id } of taken) {
        mine.add(id);
        this.#recent.set(id, true);
      }
    });
  }

  /** Returns the events whose signatures must be checked. */
  async #wanted(stream: Stream, events: readonly RelayEvent[], note: (outcome: Outcome) => void): Promise<Candidate[]> {
    const now = this.#options.clock.now();
    const fresh = await this.#fresh(stream, events, note);
    const candidates: Candidate[] = [];
    for (const event of fresh) {
      const said = readSaid(event);
      if (isFromTheFuture(event, now)) note('from_the_future');
      else if (!this.#authors.allows(authorOf(event, said))) note('author');
      else if (typeof said === 'string') note(said);
      else {
        for (const reason of said.skipped) note(reason);
        candidates.push({ event, said });
      }
    }
    return this.#aimed(candidates, note);
  }

  async #fresh(stream: Stream, events: readonly RelayEvent[], note: (outcome: Outcome) => void): Promise<RelayEvent[]> {
    const byId = new Map(events.map((event) => [event.id, event]));
    const ids = [...byId.keys()].filter((id) => !this.#recent.has(id));
    const seen = stream.isCompared ? await seenEvents(this.#options.db, stream.name, ids) : new Set<string>();
    const fresh = ids.filter((id) => !seen.has(id));
    for (let known = events.length - fresh.length; known > 0; known--) note('known');
    return fresh.map((id) => byId.get(id)!);
  }

  /** Returns only the reactions to known events. Most reactions are to other events. */
  async #aimed(candidates: Candidate[], note: (outcome: Outcome) => void): Promise<Candidate[]> {
    const targets = candidates.flatMap(({ said }) => said.votes.map(({ target }) => target));
    if (targets.length === 0) return candidates;
    const known = await knownTargets(this.#options.db, targets);
    return candidates.filter(({ said }) => {
      const isAimed = said.votes.every(({ target }) => known.has(target));
      if (!isAimed) note('unknown_target');
      return isAimed;
    });
  }

  #quotasOf(db: Database, candidates: readonly Candidate[], relay: string): Promise<Quotas> {
    const { quotas, clock } = this.#options;
    const authors = new Set(candidates.map(({ event, said }) => authorOf(event, said)));
    const limits = { ...quotas, isNamed: (author: string) => this.#authors.isNamed(author) };
    return Quotas.read(db, { relay, authors, limits, now: clock.now() });
  }

  /** Returns the events whose author and relay have quota left. Only the signatures of these events are checked. */
  async #affordable(candidates: Candidate[], relay: string, note: (outcome: Outcome) => void): Promise<Candidate[]> {
    if (candidates.length === 0) return candidates;
    const { db, clock } = this.#options;
    const quotas = await this.#quotasOf(db, candidates, relay);
    const costs = await costsOf(db, candidates);
    const afforded = candidates.filter(({ event, said }, i) => {
      const isAffordable = quotas.fits(authorOf(event, said), costs[i]!) && quotas.takeCheck();
      if (!isAffordable) note('over_quota');
      return isAffordable;
    });
    await quotas.save(db, clock.now());
    return afforded;
  }

  /** Charges events to the quotas. @returns the events for which the quotas are enough */
  async #charged(db: Database, candidates: readonly Candidate[], relay: string): Promise<Candidate[]> {
    if (candidates.length === 0) return [];
    const quotas = await this.#quotasOf(db, candidates, relay);
    const costs = await costsOf(db, candidates);
    const charged = candidates.filter(({ event, said }, i) => quotas.take(authorOf(event, said), costs[i]!));
    await quotas.save(db, this.#options.clock.now());
    return charged;
  }

  /** Returns the events with valid signatures. The signatures of requests inside an event must also be valid. */
  async #verified(candidates: readonly Candidate[], note: (outcome: Outcome) => void): Promise<Candidate[]> {
    const signed = candidates.map(({ event, said }) => [event, ...said.votes.flatMap(({ proof }) => proof ?? [])]);
    const verdicts = await this.#options.verifier.verify(signed.flat());
    const proven: Candidate[] = [];
    let from = 0;
    for (const [i, candidate] of candidates.entries()) {
      const until = from + signed[i]!.length;
      if (verdicts.slice(from, until).every(Boolean)) proven.push(candidate);
      else note('forged');
      from = until;
    }
    return proven;
  }

  #heardOf(candidates: readonly Candidate[], relay: string): EventBatch {
    const seenAt = this.#options.clock.now();
    return {
      claims: candidates.flatMap(({ said }) => said.claims.map((claim) => ({ ...claim, relay, seenAt }))),
      files: candidates.flatMap(({ event }) => toFileEvent(event) ?? []),
      withdrawals: candidates.flatMap(({ said }) => said.withdrawals),
      packs: candidates.flatMap(({ said }) => said.packs),
      votes: candidates.flatMap(({ said }) => said.votes.map(({ proof: _, ...vote }) => vote)),
      reports: candidates.flatMap(({ said }) => said.reports.map((report) => ({ ...report, seenAt }))),
    };
  }
}

/**
 * Returns the cost of each event. Known events, such as notes that are read again, and deletions of stored events cost
 * nothing.
 */
async function costsOf(db: Database, candidates: readonly Candidate[]): Promise<Cost[]> {
  const ids = candidates.map(({ event }) => event.id);
  const targets = candidates.flatMap(({ said }) => said.withdrawals.map(({ eventId }) => eventId));
  const known = await knownEvents(db, [...ids, ...targets]);
  return candidates.map(({ event, said }) => (known.has(event.id) ? NOTHING : costOf(said, (id) => !known.has(id))));
}

function withCounts(counts: ReadonlyMap<Outcome, number>, others: Partial<Record<Outcome, number>>) {
  const all = Object.entries({ ...Object.fromEntries(counts), ...others });
  return new Map(all.filter(([, n]) => n > 0));
}

/**
 * Returns the author of an event. The author of a zap is the signer of the zap's request, not the server that published
 * the zap.
 */
function authorOf({ pubkey }: RelayEvent, said: Said | SaidNothing): string {
  return typeof said === 'string' ? pubkey : (said.votes[0]?.author ?? pubkey);
}
