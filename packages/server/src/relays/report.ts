import { npubEncode } from 'nostr-tools/nip19';
import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import {
  countAddresses,
  findAddress,
  ignoredMarks,
  type MarkingAuthor,
  markingAuthors,
  setMarksIgnored,
  showGifs,
} from '../claims/index.ts';
import { wantBuild } from '../moderation/index.ts';
import { inTransaction } from '../platform/db/index.ts';
import {
  addedRelays,
  addRelay,
  findLists,
  type RelayReport,
  removeRelay,
  reportRelays,
} from '../platform/relay/index.ts';
import { type By, recordAct } from '../registry/index.ts';
import { findHolders, type Service } from '../service/index.ts';
import { relayAddress } from './addresses.ts';
import { authorsOf, readPubkey } from './authors.ts';
import { configuredRelays } from './wanted.ts';

const DAY = 86_400;

/** The state of all relays, and of the URLs in their events. */
export interface RelaysReport {
  relays: RelayReport[];
  addresses: { state: string; reason: string | null; n: number }[];
  /**
   * The process that follows the relays for all machines; null if there is no such process, or if the catalogue is not
   * shared.
   */
  follower: string | null;
}

/** Returns the result of checking a URL from relays, or undefined if no event named it. */
export function findRelayAddress({ store }: Pick<Service, 'store'>, url: string): ReturnType<typeof findAddress> {
  return findAddress(store.db, url);
}

export async function reportOnRelays({ store }: Pick<Service, 'store'>): Promise<RelaysReport> {
  const { db } = store;
  const [relays, addresses, holders] = await Promise.all([reportRelays(db), countAddresses(db), findHolders(store)]);
  return { relays, addresses, follower: holders.find(({ work }) => work === 'relays')?.holder ?? null };
}

/**
 * Ignores the adult marks of a GIF or of an author on relays, or stops ignoring them. A running service shows the
 * result within seconds.
 * @returns the number of affected GIFs, or null if nothing changed
 * @throws OperatorError if the text is neither the id of a GIF nor a public key
 */
export async function ignoreMarks(service: Service, by: By, text: string, ignored: boolean): Promise<number | null> {
  const { config, store, registry } = service;
  const subject = /^[0-9a-f]{64}\.gif$/.test(text) ? text : readPubkey(text);
  if (subject === undefined) {
    throw new OperatorError(
      `${text.slice(0, 100)}: not the id of a GIF from relays, nor a public key (npub or hexadecimal)`,
    );
  }
  await registry.ready();
  const { isNamed } = authorsOf(config.relays, await findLists(store.db));
  const { minAuthors, marks: needed } = config.relays;
  const now = Math.floor(systemClock.now() / 1_000 / DAY) * DAY;
  const affected = await inTransaction(store.db, async (trx) => {
    const gifs = await setMarksIgnored(trx, subject, ignored);
    if (gifs === null) return null;
    await showGifs(trx, gifs, { minAuthors, now, marks: { needed, counts: isNamed } });
    await wantBuild(trx);
    return gifs.size;
  });
  if (affected === null) return null;
  const action = ignored ? 'marks ignore' : 'marks count';
  await recordAct(registry.db, by, { action, subject: subject.endsWith('.gif') ? subject : npubEncode(subject) });
  return affected;
}

/** Returns the authors of marks. Authors with the most marks come first. */
export function marksOf({ store }: Pick<Service, 'store'>): Promise<MarkingAuthor[]> {
  return markingAuthors(store.db, 100);
}

/** Returns the people and GIFs whose marks are ignored, as hexadecimal public keys and ids. */
export function ignoredSubjects({ store }: Pick<Service, 'store'>): Promise<Set<string>> {
  return ignoredMarks(store.db);
}

/**
 * Adds a relay. A running service follows it within seconds.
 * @throws OperatorError if the URL is invalid
 */
export async function joinRelay(
  { store, registry }: Pick<Service, 'store' | 'registry'>,
  by: By,
  address: string,
): Promise<void> {
  const url = relayAddress(address);
  if ((await addedRelays(store.db)).includes(url)) return;
  await registry.ready();
  await addRelay(store.db, url, by.now);
  await recordAct(registry.db, by, { action: 'relay follow', subject: url });
}

/** Stops following a relay. The relay's GIFs are kept. @throws OperatorError if no command has added the relay */
export async function leaveRelay({ config, store, registry }: Service, by: By, address: string): Promise<void> {
  const url = relayAddress(address);
  await registry.ready();
  if (await removeRelay(store.db, url)) return recordAct(registry.db, by, { action: 'relay leave', subject: url });
  const where = configuredRelays(config).includes(url)
    ? 'it is set in ZOETROPE_RELAYS; remove it there'
    : 'it was not added';
  throw new OperatorError(`${address}: ${where}`);
}
