import type { IncomingMessage } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Verdict } from '../limits/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import type { UploadQuota } from '../uploads/index.ts';
import type { Console } from './console/console.ts';
import type { Payments } from './payments.ts';

/**
 * Names of the rate limits. Sign-ins and requests to upload are counted for each IP address and network, domain checks
 * for each public key, and changes for each IP address and public key.
 */
export type Budget = 'sign-in' | 'sign-in-of-network' | 'proof' | 'change' | 'changes-of-address' | 'upload';

/** The data and functions that the dashboard's API needs. */
export interface AccountContext {
  log: Log;
  clock: Clock;
  /** Public base URL of the service, without a trailing slash. Signed events contain this URL. */
  publicUrl: string;
  operator: { name: string; url: string };
  /** Hexadecimal public keys of the operators in ZOETROPE_ADMINS. The registry stores the other operators. */
  admins: ReadonlySet<string>;
  /** Hexadecimal public keys of the people who can upload GIFs, and what each of them can upload within 24 hours. */
  members: { pubkeys: ReadonlySet<string>; quota: UploadQuota };
  /** Public base URL of media, without a trailing slash. */
  mediaUrl: string;
  /** Secret key that signs messages with notices, as in the settings. Empty if the service sends no messages. */
  nostrKey: string;
  /** Relays for remote signers. */
  signerRelays: readonly string[];
  /** Whether edges in front of the service remember which callers are admitted. */
  isCached: boolean;
  /**
   * Returns the registry's database with its tables. Opens it on first use. Rejects while the database cannot be used.
   */
  registry(): Promise<Database>;
  /** Returns the catalogue's database. Opens it on first use. */
  catalogue(): Promise<Database>;
  /** Returns a small image of a GIF, even if the GIF is hidden, or null if there is no image. */
  picture(gif: GifRecord, kind: 'moving' | 'still'): Promise<{ bytes: Uint8Array; contentType: string } | null>;
  /** Returns the ids of the GIFs that callers find with these words, best first. At most 200. */
  search(words: string): Promise<string[]>;
  /** The rest of the service. */
  console: Console;
  /** Where files that operators add are stored until they have been imported, and the limits for them, in bytes. */
  uploads: { folder: string; maxBytes: number; reserveBytes: number };
  /** Receives the registration fee, if there is one. */
  payments: Payments;
  /** Counts an attempt against a limit. Returns undefined if limits are turned off. */
  limit(budget: Budget, who: string): Verdict | undefined;
  addressOf(request: IncomingMessage): string;
  /** Whether a request came from this machine and was sent to a host name that only this machine has. */
  isLocal(request: IncomingMessage): boolean;
  /** Returns the public key that a domain lists for a name. Rejects with ProofError. */
  askDomain(domain: string, name: string): Promise<string>;
  /** Folder with the dashboard's files. */
  files: string;
}
