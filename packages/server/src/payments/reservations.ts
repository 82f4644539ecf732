import { ServiceError } from '../base/errors.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';

const HOUR_MS = 3_600_000;
/** Clocks of processes that share the table may differ by so much. */
const AHEAD_MS = 300_000;
/** Each invoice costs the wallet something; nobody needs more than these in an hour. */
const PER_PUBKEY = 5;
const PER_SERVICE = 500;

/** Who wants an invoice, under which id, and when in milliseconds since the Unix epoch. */
interface Reservation {
  readonly id: string;
  readonly pubkey: string;
  readonly at: number;
}

/**
 * Takes a place among the invoices of this hour, before the wallet is asked: those who ask at the same time, of whichever
 * process, cannot all find the last place free. @throws ServiceError `rate_limited` or `fee_unavailable` when none is left
 */
export function reserve(db: Database, reservation: Reservation): Promise<void> {
  const { pubkey, at } = reservation;
  return inTransaction(db, async (trx) => {
    // The first statement takes the lock: SQLite's on the file, PostgreSQL's on the row.
    await trx.updateTable('reservations').set({ at: 0 }).where('id', '=', '').execute();
    // Times that lie ahead are those of a clock that was set back since.
    await trx
      .deleteFrom('reservations')
      .where((is) => is.or([is('at', '<=', at - HOUR_MS), is('at', '>', at + AHEAD_MS)]))
      .where('id', '<>', '')
      .execute();
    const taken = trx
      .selectFrom('reservations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('id', '<>', '');
    const own = await taken.where('pubkey', '=', pubkey).executeTakeFirstOrThrow();
    if (Number(own.count) >= PER_PUBKEY) {
      throw new ServiceError('rate_limited', `At most ${PER_PUBKEY} invoices an hour are made for one person`, {
        retryAfter: 600,
      });
    }
    const all = await taken.executeTakeFirstOrThrow();
    if (Number(all.count) >= PER_SERVICE) {
      throw new ServiceError('fee_unavailable', 'Too many invoices were made in this hour', { retryAfter: 600 });
    }
    await trx.insertInto('reservations').values(reservation).execute();
  });
}

/** Gives a place back for which no invoice was made. */
export async function release(db: Database, id: string): Promise<void> {
  await db.deleteFrom('reservations').where('id', '=', id).execute();
}
