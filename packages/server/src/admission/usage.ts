import type { Database } from '../platform/db/index.ts';
import { inTransaction } from '../platform/db/index.ts';
import { tables, type UsageTable } from '../registry/index.ts';

const DAY_MS = 86_400_000;
/** Number of days for which counts are kept. */
const DAYS = 30;
/** Maximum number of rows per statement. Every version of SQLite allows 999 values per statement. */
const ROWS = 100;

/**
 * The result of a request. kept: the response came from the cache. made: the response was computed. refused: the
 * request was rejected. limited: the request was over the limit.
 */
export type Use = 'kept' | 'made' | 'refused' | 'limited';

/** Counts clients' requests in memory until the counts are saved. Queries never reach this class. */
export class UsageTally {
  /**
   * Counts of today, by client and operation. The maps are nested, because every request is counted here and a combined
   * key would cost time.
   */
  #clients = new Map<string, Map<string, UsageTable>>();
  #today = '';
  #tomorrow = 0;
  readonly #before: UsageTable[] = [];

  count(clientId: string, operation: string, use: Use, now: number): void {
    if (now >= this.#tomorrow || now < this.#tomorrow - DAY_MS) this.#turn(now);
    let operations = this.#clients.get(clientId);
    if (operations === undefined) {
      operations = new Map();
      this.#clients.set(clientId, operations);
    }
    let row = operations.get(operation);
    if (row === undefined) {
      row = { clientId, day: this.#today, operation, requests: 0, kept: 0, refused: 0, limited: 0 };
      operations.set(operation, row);
    }
    row.requests++;
    if (use !== 'made') row[use]++;
  }

  /** Returns and resets the counts. */
  take(): UsageTable[] {
    const rows = [...this.#before, ...this.#rows()];
    this.#before.length = 0;
    this.#clients = new Map();
    return rows;
  }

  #turn(now: number): void {
    this.#before.push(...this.#rows());
    this.#clients = new Map();
    this.#today = dayOf(now);
    this.#tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  }

  #rows(): UsageTable[] {
    return [...this.#clients.values()].flatMap((operations) => [...operations.values()]);
  }
}

/** Adds counts to the stored counts. Drops counts of deleted clients and of days that are no longer kept. */
export function recordUsage(db: Database, rows: readonly UsageTable[], now: number): Promise<void> {
  return inTransaction(db, async (trx) => {
    await tables(trx)
      .deleteFrom('usage')
      .where('day', '<=', dayOf(now - DAYS * DAY_MS))
      .execute();
    for (let start = 0; start < rows.length; start += ROWS) await add(trx, rows.slice(start, start + ROWS));
  });
}

async function add(trx: Database, rows: readonly UsageTable[]): Promise<void> {
  const ids = [...new Set(rows.map(({ clientId }) => clientId))];
  const known = await tables(trx).selectFrom('clients').select('id').where('id', 'in', ids).execute();
  const kept = rows.filter(({ clientId }) => known.some(({ id }) => id === clientId));
  if (kept.length === 0) return;
  await tables(trx)
    .insertInto('usage')
    .values(kept)
    .onConflict((conflict) =>
      conflict.columns(['clientId', 'day', 'operation']).doUpdateSet((is) => {
        const sum = (count: 'requests' | 'kept' | 'refused' | 'limited') =>
          is(`usage.${count}`, '+', is.ref(`excluded.${count}`));
        return { requests: sum('requests'), kept: sum('kept'), refused: sum('refused'), limited: sum('limited') };
      }),
    )
    .execute();
}

/** Returns a client's requests in the last 30 days, latest day first. */
export function listUsage(db: Database, clientId: string, now: number): Promise<UsageTable[]> {
  return tables(db)
    .selectFrom('usage')
    .selectAll()
    .where('clientId', '=', clientId)
    .where('day', '>', dayOf(now - DAYS * DAY_MS))
    .orderBy('day', 'desc')
    .orderBy('operation')
    .execute();
}

/** Returns the number of requests in the last 30 days of each of these clients that had any. */
export async function sumUsage(
  db: Database,
  clientIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (clientIds.length === 0) return new Map();
  const rows = await tables(db)
    .selectFrom('usage')
    .select(({ fn }) => ['clientId', fn.sum<number>('requests').as('requests')])
    .where('clientId', 'in', clientIds)
    .where('day', '>', dayOf(now - DAYS * DAY_MS))
    .groupBy('clientId')
    .execute();
  return new Map(rows.map(({ clientId, requests }) => [clientId, requests]));
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
