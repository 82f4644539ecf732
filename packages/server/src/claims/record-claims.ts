import { type ReportEvent, recordReportEvent } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import { chunks, tables } from '../records/index.ts';
import { claimsOf, settleClaims } from './addresses.ts';
import { showGifs } from './apply-claims.ts';
import { type Claim, toClaimRow } from './claims.ts';
import type { DeriveOptions, Vote } from './derive.ts';
import { type FileEvent, insertFileEvents, removeWithdrawnEvents } from './file-events.ts';
import { type PackVersion, replacePacks } from './packs.ts';

/** Number of GIFs whose records are derived together. */
const PAGE = 500;

/* All functions of this file run in the caller's transaction. The result does not depend on the order in which
   events arrive. */

/** A batch of received events. */
export interface EventBatch {
  claims: readonly Claim[];
  /** Events about files, each with a claim. */
  files: readonly FileEvent[];
  /** Deletions of events by their authors. */
  withdrawals: readonly { eventId: string; author: string }[];
  votes: readonly (Vote & { eventId: string })[];
  reports: readonly ReportEvent[];
  packs: readonly PackVersion[];
}

/** Stores a batch and updates the GIFs that it concerns. */
export async function recordEvents(db: Database, batch: EventBatch, options: DeriveOptions): Promise<void> {
  const touched = new Set<string>();
  await insertFileEvents(db, batch.files);
  for (const claims of chunks(batch.claims)) {
    await insertClaims(db, claims);
    const urls = new Set(claims.flatMap((claim) => claim.urls));
    await settleClaims(db, await claimsOf(db, [...urls]), { touched, options });
  }
  for (const votes of chunks(batch.votes)) {
    await tables(db)
      .insertInto('votes')
      .values(votes.map((vote) => ({ ...vote, withdrawn: 0 })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await withdrawVotes(
      db,
      votes.map(({ eventId }) => eventId),
    );
    await touchTargets(
      db,
      votes.map(({ target }) => target),
      touched,
    );
  }
  const replaced = await replacePacks(db, batch.packs);
  for (const some of chunks([...batch.withdrawals, ...replaced])) await withdraw(db, some, touched);
  await showGifs(db, touched, options);
  for (const report of batch.reports) await recordReportEvent(db, report);
}

async function insertClaims(db: Database, claims: readonly Claim[]): Promise<void> {
  await tables(db)
    .insertInto('claims')
    .values(claims.map(toClaimRow))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const urls = claims.flatMap(({ urls, eventId, part }) => urls.map((url) => ({ url, eventId, part })));
  for (const some of chunks(urls)) {
    await tables(db)
      .insertInto('claimUrls')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await withdrawClaims(
    db,
    claims.map(({ eventId }) => eventId),
  );
}

async function withdraw(db: Database, withdrawals: EventBatch['withdrawals'], touched: Set<string>): Promise<void> {
  await tables(db)
    .insertInto('withdrawals')
    .values([...withdrawals])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const ids = withdrawals.map(({ eventId }) => eventId);
  const claims = tables(db).selectFrom('claims').select('gif').where('eventId', 'in', ids).where('gif', 'is not', null);
  for (const { gif } of await claims.execute()) touched.add(gif!);
  await withdrawClaims(db, ids);
  const votes = await tables(db).selectFrom('votes').select('target').where('eventId', 'in', ids).execute();
  await withdrawVotes(db, ids);
  await touchTargets(
    db,
    votes.map(({ target }) => target),
    touched,
  );
}

/** Withdraws claims, and erases their content and their events. */
async function withdrawClaims(db: Database, ids: readonly string[]): Promise<void> {
  await tables(db)
    .updateTable('claims')
    .set({ withdrawn: 1, title: '', alt: '', lang: '', tags: '[]' })
    .where('eventId', 'in', ids)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('withdrawals')
          .select('withdrawals.eventId')
          .whereRef('withdrawals.eventId', '=', 'claims.eventId')
          .whereRef('withdrawals.author', '=', 'claims.author'),
      ),
    )
    .execute();
  await removeWithdrawnEvents(db, ids);
}

async function withdrawVotes(db: Database, ids: readonly string[]): Promise<void> {
  await tables(db)
    .updateTable('votes')
    .set({ withdrawn: 1 })
    .where('eventId', 'in', ids)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('withdrawals')
          .select('withdrawals.eventId')
          .whereRef('withdrawals.eventId', '=', 'votes.eventId')
          .whereRef('withdrawals.author', '=', 'votes.author'),
      ),
    )
    .execute();
}

async function touchTargets(db: Database, targets: readonly string[], touched: Set<string>): Promise<void> {
  if (targets.length === 0) return;
  const rows = tables(db)
    .selectFrom('claims')
    .select('gif')
    .where('eventId', 'in', targets)
    .where('gif', 'is not', null);
  for (const { gif } of await rows.execute()) touched.add(gif!);
}

/** Returns which of these events have claims, by their ids. */
export async function knownTargets(db: Database, eventIds: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of chunks(eventIds)) {
    const rows = await tables(db).selectFrom('claims').select('eventId').where('eventId', 'in', some).execute();
    for (const { eventId } of rows) found.add(eventId);
  }
  return found;
}

/** Returns which of these events are stored as claims or votes, by their ids. */
export async function knownEvents(db: Database, eventIds: readonly string[]): Promise<Set<string>> {
  const found = await knownTargets(db, eventIds);
  for (const some of chunks(eventIds)) {
    const rows = await tables(db).selectFrom('votes').select('eventId').where('eventId', 'in', some).execute();
    for (const { eventId } of rows) found.add(eventId);
  }
  return found;
}

/**
 * Derives again the records of a page of GIFs with claims, by ascending hash. This is needed because popularity fades
 * over time.
 * @returns the last hash of the page, or undefined at the end
 */
export async function refreshClaimed(db: Database, after: string, options: DeriveOptions): Promise<string | undefined> {
  const rows = await tables(db)
    .selectFrom('claims')
    .select('gif')
    .distinct()
    .where('gif', '>', after)
    .orderBy('gif')
    .limit(PAGE)
    .execute();
  const hashes = rows.map(({ gif }) => gif!);
  await showGifs(db, new Set(hashes), options);
  return hashes.at(-1);
}

/** Deletes the claims of authors who are no longer allowed. @returns how many claims were deleted */
export async function keepClaimsOf(
  db: Database,
  isAllowed: (author: string) => boolean,
  options: DeriveOptions,
): Promise<number> {
  const authors = await tables(db).selectFrom('claims').select('author').distinct().execute();
  const unwanted = authors.map(({ author }) => author).filter((author) => !isAllowed(author));
  const touched = new Set<string>();
  let gone = 0;
  for (const some of chunks(unwanted)) {
    const claims = await tables(db)
      .selectFrom('claims')
      .select(['gif', 'eventId'])
      .where('author', 'in', some)
      .execute();
    for (const { gif } of claims) if (gif !== null) touched.add(gif);
    for (const ids of chunks(claims.map(({ eventId }) => eventId))) {
      await tables(db).deleteFrom('claimUrls').where('eventId', 'in', ids).execute();
    }
    await tables(db).deleteFrom('claims').where('author', 'in', some).execute();
    await tables(db).deleteFrom('fileEvents').where('author', 'in', some).execute();
    gone += claims.length;
  }
  await showGifs(db, touched, options);
  return gone;
}
