import type { Database } from '../platform/db/index.ts';
import { inTransaction } from '../platform/db/index.ts';
import { tables, type UsageByWayTable, type UsageTable } from '../registry/index.ts';
import type { Client } from './callers.ts';

const DAY_MS = 86_400_000;
/** Number of days for which counts are kept. */
const DAYS = 30;
/** Maximum number of rows per statement. Every version of SQLite allows 999 values per statement. */
const ROWS = 90;

/**
 * The result of a request. kept: the response came from the cache. made: the response was computed. refused: the
 * request was rejected. limited: the request was over the limit.
 */
export type Use = 'kept' | 'made' | 'refused' | 'limited';

/** The counts of one client, day and operation for one identifier, which is called a way in. */
export interface UsageCount extends UsageTable {
  /** Id of the origin, key or User-Agent. Undefined if it is not known. */
  wayId: string | undefined;
}

/** Counts clients' requests in memory until the counts are saved. Queries never reach this class. */
export class UsageTally {
  /**
   * Counts of today, by identifier (or by client if the identifier is not known) and operation. The maps are nested,
   * because every request is counted here and a combined key would cost time.
   */
  #ways = new Map<string, Map<string, UsageCount>>();
  #today = '';
  #tomorrow = 0;
  readonly #before: UsageCount[] = [];

  count({ id, wayId }: Pick<Client, 'id' | 'wayId'>, operation: string, use: Use, now: number): void {
    if (now >= this.#tomorrow || now < this.#tomorrow - DAY_MS) this.#turn(now);
    const way = wayId ?? id;
    let operations = this.#ways.get(way);
    if (operations === undefined) {
      operations = new Map();
      this.#ways.set(way, operations);
    }
    let row = operations.get(operation);
    if (row === undefined) {
      row = { clientId: id, wayId, day: this.#today, operation, requests: 0, kept: 0, refused: 0, limited: 0 };
      operations.set(operation, row);
    }
    row.requests++;
    if (use !== 'made') row[use]++;
  }

  /** Returns and resets the counts. */
  take(): UsageCount[] {
    const rows = [...this.#before, ...this.#rows()];
    this.#before.length = 0;
    this.#ways = new Map();
    return rows;
  }

  #turn(now: number): void {
    this.#before.push(...this.#rows());
    this.#ways = new Map();
    this.#today = dayOf(now);
    this.#tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  }

  #rows(): UsageCount[] {
    return [...this.#ways.values()].flatMap((operations) => [...operations.values()]);
  }
}

/**
 * Adds counts to the stored counts. Drops counts of deleted clients and of days that are no longer kept. Only counts of
 * identifiers in the registry are stored, so strangers cannot add rows.
 */
export function recordUsage(db: Database, rows: readonly UsageCount[], now: number): Promise<void> {
  return inTransaction(db, async (trx) => {
    const first = dayOf(now - DAYS * DAY_MS);
    await tables(trx).deleteFrom('usage').where('day', '<=', first).execute();
    await tables(trx).deleteFrom('usageByWay').where('day', '<=', first).execute();
    for (let start = 0; start < rows.length; start += ROWS) await add(trx, rows.slice(start, start + ROWS));
  });
}

async function add(trx: Database, rows: readonly UsageCount[]): Promise<void> {
  const ids = [...new Set(rows.map(({ clientId }) => clientId))];
  const known = await tables(trx).selectFrom('clients').select('id').where('id', 'in', ids).execute();
  const kept = rows.filter(({ clientId }) => known.some(({ id }) => id === clientId));
  if (kept.length === 0) return;
  await tables(trx)
    .insertInto('usage')
    .values(sumWays(kept))
    .onConflict((conflict) =>
      conflict.columns(['clientId', 'day', 'operation']).doUpdateSet((is) => {
        const sum = (count: Count) => is(`usage.${count}`, '+', is.ref(`excluded.${count}`));
        return { requests: sum('requests'), kept: sum('kept'), refused: sum('refused'), limited: sum('limited') };
      }),
    )
    .execute();
  const byWay = await nameWays(trx, kept);
  if (byWay.length === 0) return;
  await tables(trx)
    .insertInto('usageByWay')
    .values(byWay)
    .onConflict((conflict) =>
      conflict.columns(['clientId', 'day', 'operation', 'wayId']).doUpdateSet((is) => {
        const sum = (count: Count) => is(`usageByWay.${count}`, '+', is.ref(`excluded.${count}`));
        return { requests: sum('requests'), kept: sum('kept'), refused: sum('refused'), limited: sum('limited') };
      }),
    )
    .execute();
}

const COUNTS = ['requests', 'kept', 'refused', 'limited'] as const;
type Count = (typeof COUNTS)[number];

/** Returns one row for each client, day and operation. */
function sumWays(rows: readonly UsageCount[]): UsageTable[] {
  const sums = new Map<string, UsageTable>();
  for (const { wayId: _, ...row } of rows) {
    const key = `${row.clientId} ${row.day} ${row.operation}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, row);
    else for (const count of COUNTS) sum[count] += row[count];
  }
  return [...sums.values()];
}

/** Returns the rows whose identifier is in the registry, with the identifier's kind and name. */
async function nameWays(trx: Database, rows: readonly UsageCount[]): Promise<UsageByWayTable[]> {
  const ids = [...new Set(rows.flatMap(({ wayId }) => wayId ?? []))];
  if (ids.length === 0) return [];
  const origins = tables(trx).selectFrom('origins').select(['id', 'origin as name']).where('id', 'in', ids);
  const keys = tables(trx).selectFrom('keys').select(['id', 'name']).where('id', 'in', ids);
  const userAgents = tables(trx).selectFrom('userAgents').select(['id', 'pattern as name']).where('id', 'in', ids);
  const ways = new Map<string, Pick<UsageByWayTable, 'kind' | 'name'>>();
  for (const { id, name } of await origins.execute()) ways.set(id, { kind: 'origin', name });
  for (const { id, name } of await keys.execute()) ways.set(id, { kind: 'key', name });
  for (const { id, name } of await userAgents.execute()) ways.set(id, { kind: 'user-agent', name });
  return rows.flatMap(({ wayId, ...row }) => {
    const way = wayId === undefined ? undefined : ways.get(wayId);
    return way === undefined ? [] : [{ ...row, ...way, wayId: wayId! }];
  });
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

/**
 * Returns a client's requests in the last 30 days by identifier, latest day first. Requests whose identifier is not
 * known are absent.
 */
export function listUsageByWay(db: Database, clientId: string, now: number): Promise<UsageByWayTable[]> {
  return tables(db)
    .selectFrom('usageByWay')
    .selectAll()
    .where('clientId', '=', clientId)
    .where('day', '>', dayOf(now - DAYS * DAY_MS))
    .orderBy('day', 'desc')
    .orderBy('operation')
    .orderBy('wayId')
    .execute();
}

/** Returns the number of requests of each of these clients in the last 30 days. Clients without requests are absent. */
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
