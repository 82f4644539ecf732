import { sql } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import {
  bumpRevision,
  chunks,
  fromRow,
  type GifRecord,
  type GifTable,
  HIDDEN_AS_WITHDRAWN,
  hiddenWithout,
  keepVerified,
  tables,
} from '../records/index.ts';
import { type AddressTable, fromClaimRow, type StoredClaim, type VoteTable } from './claims.ts';
import { type DeriveOptions, deriveRecord, joinClaims } from './derive.ts';
import { ignoredMarks, reportMarks, withoutIgnored } from './marks.ts';
import { findApart, type RecordParts, rowsOf, writeRecords } from './merge.ts';

/** Updates the records of these GIFs from their claims. @param hashes ids without `.gif` */
export async function showGifs(db: Database, hashes: ReadonlySet<string>, options: DeriveOptions): Promise<void> {
  if (hashes.size === 0) return;
  const ignored = await ignoredMarks(db);
  let changed = false;
  for (const some of chunks([...hashes].toSorted())) {
    const known = await knownOf(
      db,
      some.map((sha256) => `${sha256}.gif`),
    );
    const claims = await claimsOfGifs(db, some, ignored);
    const derived = await deriveAll(db, { hashes: some, claims, known }, options);
    if (await show(db, derived, known)) changed = true;
    for (const [sha256, own] of claims) {
      const id = `${sha256}.gif`;
      // Adult marks become reports only for GIFs with a record.
      if (known.othersOf(id) !== null || derived.get(id)?.adult === false) await reportMarks(db, id, own);
    }
  }
  if (changed) await bumpRevision(db);
}

/** The known facts about GIFs, apart from their claims. */
interface KnownFacts {
  rows: ReadonlyMap<string, GifTable>;
  apart: ReadonlyMap<string, RecordParts>;
  /** Returns the record from folders and manifests, without claims. */
  othersOf(id: string): GifRecord | null;
}

async function knownOf(db: Database, ids: readonly string[]): Promise<KnownFacts> {
  const rows = await rowsOf(db, ids);
  const apart = await findApart(db, ids);
  const othersOf = (id: string) => (apart.has(id) ? apart.get(id)!.others : recordOf(rows.get(id)));
  return { rows, apart, othersOf };
}

/** Returns the claims, keyed by the hash of their GIF. */
async function claimsOfGifs(
  db: Database,
  hashes: readonly string[],
  ignored: ReadonlySet<string>,
): Promise<Map<string, StoredClaim[]>> {
  const rows = await tables(db).selectFrom('claims').selectAll().where('gif', 'in', hashes).orderBy('seq').execute();
  const claims = Map.groupBy(rows.map(fromClaimRow), ({ gif }) => gif!);
  return new Map([...claims].map(([sha256, own]) => [sha256, withoutIgnored(`${sha256}.gif`, own, ignored)]));
}

async function deriveAll(
  db: Database,
  {
    hashes,
    claims,
    known,
  }: { hashes: readonly string[]; claims: ReadonlyMap<string, StoredClaim[]>; known: KnownFacts },
  options: DeriveOptions,
): Promise<Map<string, GifRecord | undefined>> {
  const all = [...claims.values()].flat();
  const addresses = await addressesOf(
    db,
    all.flatMap(({ urls }) => urls),
  );
  const votes = await votesOf(
    db,
    all.map(({ eventId }) => eventId),
  );
  return new Map(
    hashes.map((sha256) => {
      const id = `${sha256}.gif`;
      const own = claims.get(sha256) ?? [];
      const mine = own.flatMap(({ eventId }) => votes.get(eventId) ?? []);
      const shown = known.apart.get(id)?.claimed?.url ?? null;
      return [id, deriveRecord({ sha256, shown, claims: own, addresses, votes: mine }, options)];
    }),
  );
}

async function votesOf(db: Database, targets: readonly string[]): Promise<Map<string, VoteTable[]>> {
  const found: VoteTable[] = [];
  for (const some of chunks([...new Set(targets)])) {
    const votes = tables(db).selectFrom('votes').selectAll().where('target', 'in', some).where('withdrawn', '=', 0);
    found.push(...(await votes.execute()));
  }
  return Map.groupBy(found, ({ target }) => target);
}

/** @returns whether the record changed */
async function show(
  db: Database,
  derived: ReadonlyMap<string, GifRecord | undefined>,
  { rows, othersOf }: KnownFacts,
): Promise<boolean> {
  const changed: GifRecord[] = [];
  const gone: GifRecord[] = [];
  for (const [id, claimed = null] of derived) {
    const row = rows.get(id);
    if (row === undefined && claimed === null) continue;
    const others = othersOf(id);
    await saveApart(db, id, { others, claimed });
    const record = others && claimed ? joinClaims(others, claimed) : (claimed ?? others);
    if (record === null) gone.push({ ...fromRow(row!), ...NOTHING_SAID });
    else if (isOther(record, row)) changed.push(record);
  }
  const newlyGone = gone.filter(({ id }) => !isWithdrawn(rows.get(id)!));
  await writeRecords(db, [...changed, ...newlyGone], rows);
  await setWithdrawn(db, newlyGone, true);
  await setWithdrawn(db, changed, false);
  return changed.length + newlyGone.length > 0;
}

function recordOf(row: GifTable | undefined): GifRecord | null {
  return row === undefined ? null : fromRow(row);
}

function isWithdrawn({ hidden }: GifTable): boolean {
  return (hidden & HIDDEN_AS_WITHDRAWN) !== 0;
}

function isOther(record: GifRecord, row: GifTable | undefined): boolean {
  return row === undefined || isWithdrawn(row) || differs(keepVerified(record, fromRow(row)), fromRow(row));
}

const NOTHING_SAID = { title: '', tags: [], characters: [], series: [], text: '', alt: '', lang: '', fallback: [] };

function differs(a: GifRecord, b: GifRecord): boolean {
  return (Object.keys(a) as (keyof GifRecord)[]).some((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]));
}

async function saveApart(
  db: Database,
  id: string,
  { others, claimed }: { others: GifRecord | null; claimed: GifRecord | null },
): Promise<void> {
  const row = {
    others: others === null ? null : JSON.stringify(others),
    claimed: claimed === null ? null : JSON.stringify(claimed),
  };
  await tables(db)
    .insertInto('claimedGifs')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

async function setWithdrawn(db: Database, records: readonly GifRecord[], isGone: boolean): Promise<void> {
  if (records.length === 0) return;
  const ids = records.map(({ id }) => id);
  const hidden = isGone ? sql<number>`hidden | ${HIDDEN_AS_WITHDRAWN}` : hiddenWithout(HIDDEN_AS_WITHDRAWN);
  await tables(db).updateTable('gifs').set({ hidden }).where('id', 'in', ids).execute();
}

/**
 * Removes the facts from sources other than claims about these GIFs. A GIF with claims is shown as its claims describe
 * it. All other GIFs are hidden as withdrawn until a source or a claim names them again.
 */
export async function withdrawOthers(db: Database, ids: readonly string[]): Promise<void> {
  const { rows, apart } = await knownOf(db, ids);
  const claimed: GifRecord[] = [];
  const gone: GifRecord[] = [];
  for (const [id, row] of rows) {
    const record = apart.get(id)?.claimed ?? null;
    await saveApart(db, id, { others: null, claimed: record });
    if (record === null) gone.push({ ...fromRow(row), ...NOTHING_SAID });
    else claimed.push(record);
  }
  await writeRecords(db, [...claimed, ...gone], rows);
  await setWithdrawn(db, gone, true);
  await bumpRevision(db);
}

/** Returns the known facts about these URLs, keyed by URL. */
export async function addressesOf(db: Database, urls: readonly string[]): Promise<Map<string, AddressTable>> {
  const found = new Map<string, AddressTable>();
  for (const some of chunks([...new Set(urls)])) {
    const rows = await tables(db).selectFrom('addresses').selectAll().where('url', 'in', some).execute();
    for (const row of rows) found.set(row.url, row);
  }
  return found;
}
