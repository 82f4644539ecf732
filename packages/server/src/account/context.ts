import type { IncomingMessage } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { GifRecord } from '../catalog/index.ts';
import type { Verdict } from '../limits/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { Payments } from './payments.ts';

/** What is held to a budget: signing in by address, asking domains for a proof by pubkey, changes by both. */
export type Budget = 'sign-in' | 'proof' | 'change' | 'changes-of-address';

/** What the dashboard's API is given. */
export interface AccountContext {
  log: Log;
  clock: Clock;
  /** Public base address of the service, without a trailing slash; what is signed names it. */
  publicUrl: string;
  operator: { name: string; url: string };
  /** Public keys, in hexadecimal, of those who review. */
  admins: ReadonlySet<string>;
  /** For remote signers. */
  signerRelays: readonly string[];
  /** The registry's database with its tables; opened when it is first asked for. Rejects while it cannot be used. */
  registry(): Promise<Database>;
  /** The catalogue's database, likewise. */
  catalogue(): Promise<Database>;
  /** A small image of a GIF, shown elsewhere or not; null when there is none. */
  picture(gif: GifRecord): Promise<{ bytes: Uint8Array; contentType: string } | null>;
  /** Who takes the fee, if there is one. */
  payments: Payments;
  /** Counts a try against a budget; undefined where nothing is limited. */
  limit(budget: Budget, who: string): Verdict | undefined;
  addressOf(request: IncomingMessage): string;
  /** Which public key a domain gives to a name. Rejects with ProofError. */
  askDomain(domain: string, name: string): Promise<string>;
  /** Folder of the dashboard's files. */
  files: string;
}
