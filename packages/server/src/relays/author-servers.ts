import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { pageOfAuthors } from '../claims/index.ts';
import type { Database } from '../platform/db/index.ts';
import {
  type AuthorServers,
  askedAbout,
  forgetServers,
  isFromTheFuture,
  RelayConnection,
  RelayError,
  type RelayEvent,
  saveServers,
  type Verifier,
} from '../platform/relay/index.ts';
import { newestLists } from './authors.ts';

/** Event kind of lists of Blossom servers (BUD-03). */
export const SERVERS = 10_063;

/** Number of authors in a filter. Many relays return at most 100 events. */
const AUTHORS = 100;
/** Time after which relays are asked about an author again, in milliseconds. */
const AGAIN_MS = 7 * 86_400_000;
/** Time after which the servers of an author without GIFs are removed, in milliseconds. */
const FORGET_MS = 30 * 86_400_000;
/** Maximum number of servers of an author. A dead link must not lead to many requests. */
const MAX_SERVERS = 3;
const LONGEST = 200;

/** The data needed to read the lists. */
export interface ServerReading {
  db: Database;
  verifier: Pick<Verifier, 'verify'>;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/**
 * Reads from relays which Blossom servers the authors of GIFs use, because dead links are looked for there. Asks about
 * each author once a week.
 * @param urls URLs of the relays
 */
export async function readServers(reading: ServerReading, urls: readonly string[]): Promise<void> {
  const { db, clock, signal } = reading;
  await forgetServers(db, clock.now() - FORGET_MS);
  for (let last = ''; !signal.aborted; ) {
    const authors = await pageOfAuthors(db, last, AUTHORS);
    if (authors.length === 0) return;
    last = authors.at(-1)!;
    const known = await askedAbout(db, authors, clock.now() - AGAIN_MS);
    const due = authors.filter((author) => !known.has(author));
    const events = due.length === 0 ? undefined : await listsOf(reading, due, urls);
    // If no relay has responded, the relays are asked again in the next round.
    if (events === undefined) continue;
    const lists = new Map(newestLists(events).map((event) => [event.pubkey, readList(event)]));
    const rows = due.map((pubkey) => lists.get(pubkey) ?? { pubkey, servers: [], createdAt: 0 });
    await saveServers(db, rows, clock.now());
  }
}

/** Returns the lists of these authors, or undefined if no relay has responded. */
async function listsOf(
  { verifier, clock, log }: ServerReading,
  authors: readonly string[],
  urls: readonly string[],
): Promise<RelayEvent[] | undefined> {
  const pages = urls.map(async (url) => {
    try {
      const connection = await RelayConnection.open({ url, onRefused: () => {} });
      const filter = { kinds: [SERVERS], authors: [...authors] };
      return (await connection.page(filter).finally(() => connection.close())).events;
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      log.info({ relay: url, reason: error.message }, 'could not fetch lists of Blossom servers');
      return undefined;
    }
  });
  const answers = (await Promise.all(pages)).filter((page) => page !== undefined);
  if (answers.length === 0) return undefined;
  const events = answers.flat().filter((event) => event.kind === SERVERS && !isFromTheFuture(event, clock.now()));
  const verdicts = await verifier.verify(events);
  return events.filter((_, i) => verdicts[i]);
}

function readList({ pubkey, created_at: createdAt, tags }: RelayEvent): AuthorServers {
  const servers = tags.flatMap(([name, value]) => (name === 'server' ? (serverIn(value) ?? []) : []));
  return { pubkey, servers: [...new Set(servers)].slice(0, MAX_SERVERS), createdAt };
}

/** Returns the origin of a server, because blobs are at its root. */
function serverIn(text = ''): string | undefined {
  const url = text.length > LONGEST ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' ? url.origin : undefined;
}
