import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { LIMITS } from '@zoetrope/contract';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { goOn, type Log } from '../base/log.ts';
import type { Caller, Identifier, LookUp } from './callers.ts';

export interface KnownCallersParts {
  lookUp: LookUp;
  /** The file in which the callers survive a restart. If undefined, they are kept only in memory. */
  file: string | undefined;
  /** Writes a file completely or not at all. */
  write(file: string, content: string): Promise<void>;
  clock: Clock;
  log: Log;
}

/** Maximum number of remembered callers. If there are more, those seen least recently are forgotten. */
const MOST = 16_384;
/** Time for which a caller stays known. The specification sets this time. */
const KNOWN_MS = 1_000 * LIMITS.admissionGrantedCacheSeconds;
/** Delay between a change and its saving, so that many changes are saved together. */
const SAVE_MS = 5_000;

interface KnownCaller {
  caller: Caller;
  /** Milliseconds since the Unix epoch. */
  until: number;
}

interface Saved {
  revision: number;
  callers: [hash: string, known: KnownCaller][];
}

/**
 * Remembers, for all threads of a process, the callers that the registry has recognised within the last hour. The
 * callers survive a restart. These callers are still admitted while the registry is down. Identifiers are stored as
 * hashes.
 */
export class KnownCallers {
  readonly #parts: KnownCallersParts;
  readonly #known = new LRUCache<string, KnownCaller>({ max: MOST });
  /** The registry's revision to which the callers belong; -1 until it is known. */
  #revision: number;
  /**
   * Number of changes to the registry. A result that was requested before a change is not remembered after the change.
   */
  #epoch = 0;
  #saving: NodeJS.Timeout | undefined;

  private constructor(parts: KnownCallersParts, saved: Saved | undefined) {
    this.#parts = parts;
    this.#revision = saved?.revision ?? -1;
    for (const [hash, known] of saved?.callers ?? []) this.#known.set(hash, known);
  }

  /** Loads the saved callers, if there are any. */
  static async open(parts: KnownCallersParts): Promise<KnownCallers> {
    return new KnownCallers(parts, parts.file === undefined ? undefined : await read(parts.file));
  }

  /**
   * Looks up a caller. While the registry is down, returns a caller that the registry recognised within the last hour.
   */
  readonly lookUp: LookUp = async (identifier) => {
    const epoch = this.#epoch;
    const hash = hashOf(identifier);
    let caller: Caller | 'suspended' | null;
    try {
      caller = await this.#parts.lookUp(identifier);
    } catch (error) {
      const known = this.#known.get(hash);
      if (known === undefined || known.until <= this.#parts.clock.now()) throw error;
      return known.caller;
    }
    if (epoch !== this.#epoch) return caller;
    if (caller !== null && caller !== 'suspended') {
      const until = Math.min(this.#parts.clock.now() + KNOWN_MS, caller.expiresAt ?? Infinity);
      this.#known.set(hash, { caller, until });
      this.#saveSoon();
    } else if (this.#known.delete(hash)) this.#saveSoon();
    return caller;
  };

  /** Forgets all callers if the registry has changed. */
  noteRevision(revision: number): void {
    if (revision === this.#revision) return;
    // Results that arrived before the first revision was known can belong to an earlier revision. Therefore these
    // results are forgotten, too.
    this.#revision = revision;
    this.#epoch++;
    this.#known.clear();
    this.#saveSoon();
  }

  /** Saves changes that have not been saved yet. */
  async close(): Promise<void> {
    if (this.#saving === undefined) return;
    clearTimeout(this.#saving);
    await this.#save();
  }

  #saveSoon(): void {
    if (this.#parts.file === undefined) return;
    this.#saving ??= setTimeout(() => goOn(this.#save(), this.#parts.log), SAVE_MS).unref();
  }

  async #save(): Promise<void> {
    this.#saving = undefined;
    const saved: Saved = { revision: this.#revision, callers: [...this.#known.entries()].reverse() };
    try {
      await this.#parts.write(this.#parts.file!, JSON.stringify(saved));
    } catch (error) {
      this.#parts.log.warn(
        { err: error },
        'could not save the known callers; a restart without PostgreSQL refuses them',
      );
    }
  }
}

/** Returns the saved callers, or undefined if nothing was saved or the file cannot be read. */
async function read(file: string): Promise<Saved | undefined> {
  try {
    const saved = JSON.parse(await fs.readFile(file, 'utf8')) as Saved;
    return Number.isInteger(saved.revision) && Array.isArray(saved.callers) ? saved : undefined;
  } catch {
    return undefined;
  }
}

function hashOf({ kind, value }: Identifier): string {
  return createHash('sha256').update(`${kind} ${value}`).digest('base64url');
}
