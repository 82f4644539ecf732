import { sql } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import { chunks } from './chunks.ts';
import { type AddressTable, fromClaimRow, type VoteTable } from './claims.ts';
import { type DeriveOptions, deriveRecord, joinClaims } from './derive.ts';
import { HIDDEN_AS_WITHDRAWN } from './hidden.ts';
import type { GifRecord } from './record.ts';
import { bumpRevision } from './revision.ts';
import { fromRow, type GifTable } from './tables.ts';
import { findApart, rowsOf, writeRecords } from './told.ts';

/** Changes the records of these GIFs to what their claims say now. @param hashes their names without `.gif` */
export async function showGifs(db: Database, hashes: ReadonlySet<string>, options: DeriveOptions): Promise<void> {
  let changed = false;
  for (const some of chunks([...hashes].toSorted())) {
    const derived = await deriveAll(db, some, options);
    if (await show(db, derived)) changed = true;
  }
  if (changed) await bumpRevision(db);
}

async function deriveAll(
  db: Database,
  hashes: readonly string[],
  options: DeriveOptions,
): Promise<Map<string, GifRecord | undefined>> {
  const rows = await db.selectFrom('claims').selectAll().where('gif', 'in', hashes).execute();
  const claims = Map.groupBy(rows.map(fromClaimRow), ({ gif }) => gif!);
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
      const own = claims.get(sha256) ?? [];
      const mine = own.flatMap(({ eventId }) => votes.get(eventId) ?? []);
      return [`${sha256}.gif`, deriveRecord({ sha256, claims: own, addresses, votes: mine }, options)];
    }),
  );
}

async function votesOf(db: Database, targets: readonly string[]): Promise<Map<string, VoteTable[]>> {
  const found: VoteTable[] = [];
  for (const some of chunks([...new Set(targets)])) {
    const votes = db.selectFrom('votes').selectAll().where('target', 'in', some).where('withdrawn', '=', 0);
    found.push(...(await votes.execute()));
  }
  return Map.groupBy(found, ({ target }) => target);
}

/** @returns whether anything is shown otherwise now */
async function show(db: Database, derived: ReadonlyMap<string, GifRecord | undefined>): Promise<boolean> {
  const rows = await rowsOf(db, [...derived.keys()]);
  const apart = await findApart(db, [...derived.keys()]);
  const changed: GifRecord[] = [];
  const gone: GifRecord[] = [];
  for (const [id, claimed = null] of derived) {
    const row = rows.get(id);
    if (row === undefined && claimed === null) continue;
    const others = apart.has(id) ? apart.get(id)!.others : recordOf(row);
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
  return row === undefined || isWithdrawn(row) || differs(record, fromRow(row));
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
  await db
    .insertInto('claimedGifs')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

async function setWithdrawn(db: Database, records: readonly GifRecord[], isGone: boolean): Promise<void> {
  if (records.length === 0) return;
  const ids = records.map(({ id }) => id);
  const hidden = isGone ? sql<number>`hidden | ${HIDDEN_AS_WITHDRAWN}` : sql<number>`hidden & ~${HIDDEN_AS_WITHDRAWN}`;
  await db.updateTable('gifs').set({ hidden }).where('id', 'in', ids).execute();
}

/** What is known of these addresses. */
export async function addressesOf(db: Database, urls: readonly string[]): Promise<Map<string, AddressTable>> {
  const found = new Map<string, AddressTable>();
  for (const some of chunks([...new Set(urls)])) {
    const rows = await db.selectFrom('addresses').selectAll().where('url', 'in', some).execute();
    for (const row of rows) found.set(row.url, row);
  }
  return found;
}
