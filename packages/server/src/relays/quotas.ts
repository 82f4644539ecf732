import type { Database } from '../platform/db/index.ts';
import { addUsage, usageOf } from '../platform/relay/index.ts';
import type { Said } from './events/said.ts';

/*
 * Keys cost nothing, and relays can send any events. Therefore each author and each relay has daily quotas for each
 * kind of event.
 */

const KINDS = ['claims', 'addresses', 'votes', 'withdrawals', 'reports'] as const;
type Kind = (typeof KINDS)[number];

/** Maximum number of signature checks per accepted event from a relay. */
const CHECKS_PER_EVENT = 5;

export interface QuotaLimits {
  /** Maximum number of events per day and kind, for each author. `relay` is the maximum for each relay. */
  readonly author: number;
  readonly relay: number;
  /** Returns whether the operator listed this person. Listed people have no quota. */
  isNamed(author: string): boolean;
}

/** The quotas that an event uses up. */
export type Cost = Readonly<Record<Kind, number>>;

export const NOTHING: Cost = { claims: 0, addresses: 0, votes: 0, withdrawals: 0, reports: 0 };

/**
 * Returns the quotas that an event uses up.
 * @param isNew returns whether a deleted event is unknown, because deletions of stored events use no quota
 */
export function costOf(said: Said, isNew: (eventId: string) => boolean): Cost {
  return {
    claims: said.claims.length + said.packs.length,
    addresses: new Set(said.claims.flatMap(({ urls }) => urls)).size,
    votes: said.votes.length,
    withdrawals: said.withdrawals.filter(({ eventId }) => isNew(eventId)).length,
    reports: said.reports.length,
  };
}

/** The remaining quotas of a relay and of some authors. */
export class Quotas {
  readonly #relay: string;
  readonly #limits: QuotaLimits;
  readonly #used: Map<string, number>;
  readonly #added = new Map<string, number>();

  private constructor(relay: string, limits: QuotaLimits, used: Map<string, number>) {
    this.#relay = relay;
    this.#limits = limits;
    this.#used = used;
  }

  /** @param now milliseconds since the Unix epoch */
  static async read(
    db: Database,
    { relay, authors, limits, now }: { relay: string; authors: ReadonlySet<string>; limits: QuotaLimits; now: number },
  ): Promise<Quotas> {
    const keys = [relay, ...authors].flatMap((subject) => KINDS.map((kind) => `${kind} ${subject}`));
    return new Quotas(relay, limits, await usageOf(db, [...keys, `checks ${relay}`], now));
  }

  /** Returns whether the quotas are enough for an event. */
  fits(author: string, cost: Cost): boolean {
    const isNamed = this.#limits.isNamed(author);
    return KINDS.every((kind) => {
      if (cost[kind] === 0) return true;
      const fitsAuthor = isNamed || this.#usedOf(`${kind} ${author}`) + cost[kind] <= this.#limits.author;
      return fitsAuthor && this.#usedOf(`${kind} ${this.#relay}`) + cost[kind] <= this.#limits.relay;
    });
  }

  /** Charges an event. @returns false, without charging, if the quota is too small */
  take(author: string, cost: Cost): boolean {
    if (!this.fits(author, cost)) return false;
    for (const kind of KINDS) {
      for (const subject of [author, this.#relay]) this.#add(`${kind} ${subject}`, cost[kind]);
    }
    return true;
  }

  /** Charges a signature check. */
  takeCheck(): boolean {
    const key = `checks ${this.#relay}`;
    if (this.#usedOf(key) >= this.#limits.relay * CHECKS_PER_EVENT) return false;
    this.#add(key, 1);
    return true;
  }

  /** Saves the charges. */
  async save(db: Database, now: number): Promise<void> {
    await addUsage(db, this.#added, now);
  }

  #usedOf(key: string): number {
    return (this.#used.get(key) ?? 0) + (this.#added.get(key) ?? 0);
  }

  #add(key: string, n: number): void {
    if (n > 0) this.#added.set(key, (this.#added.get(key) ?? 0) + n);
  }
}
