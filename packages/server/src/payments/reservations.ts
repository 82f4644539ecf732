import { ServiceError } from '../base/errors.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { tables } from './tables.ts';

const HOUR_MS = 3_600_000;
/** Maximum difference between the clocks of processes that share the table. */
const AHEAD_MS = 300_000;
/** Maximum number of invoices per hour. Each invoice costs the wallet resources, and nobody needs more invoices. */
const PER_PUBKEY = 5;
const PER_SERVICE = 500;

/**
 * A reservation of an invoice: its id, the person who requests the invoice, and the time in milliseconds since the Unix
 * epoch.
 */
interface Reservation {
  readonly id: string;
  readonly pubkey: string;
  readonly at: number;
}

/**
 * Reserves one of this hour's invoices before the wallet gets a request, so that of several concurrent requests, even
 * in several processes, only one gets the last invoice.
 * @throws ServiceError `rate_limited` or `fee_unavailable` if no invoice is left
 */
export function reserve(db: Database, reservation: Reservation): Promise<void> {
  const { pubkey, at } = reservation;
  return inTransaction(db, async (trx) => {
    // The first statement takes the lock. In SQLite it locks the file, and in PostgreSQL it locks the row.
    await tables(trx).updateTable('reservations').set({ at: 0 }).where('id', '=', '').execute();
    // Rows with times in the future are removed, too. Such rows were recorded before the clock was set back.
    await tables(trx)
      .deleteFrom('reservations')
      .where((is) => is.or([is('at', '<=', at - HOUR_MS), is('at', '>', at + AHEAD_MS)]))
      .where('id', '<>', '')
      .execute();
    const taken = tables(trx)
      .selectFrom('reservations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('id', '<>', '');
    const own = await taken.where('pubkey', '=', pubkey).executeTakeFirstOrThrow();
    if (Number(own.count) >= PER_PUBKEY) {
      throw new ServiceError('rate_limited', `The limit is ${PER_PUBKEY} invoices per hour and person`, {
        retryAfter: 600,
      });
    }
    const all = await taken.executeTakeFirstOrThrow();
    if (Number(all.count) >= PER_SERVICE) {
      throw new ServiceError('fee_unavailable', 'Too many invoices were created in the last hour', { retryAfter: 600 });
    }
    await tables(trx).insertInto('reservations').values(reservation).execute();
  });
}

/** Cancels a reservation because no invoice was created. */
export async function release(db: Database, id: string): Promise<void> {
  await tables(db).deleteFrom('reservations').where('id', '=', id).execute();
}
