import os from 'node:os';
import { sql } from 'kysely';
import { type Database, ON_CONNECT, soon } from '../db/index.ts';
import { type Lock, LockTaken } from './lock.ts';

const CONNECT_MS = 2_000;
const QUERY_MS = 4_000;
/** The first half of every lock's number. The second half is different for each lock. */
const LOCKS = 2_051_433;

/**
 * Takes a lock in PostgreSQL. All programs that share the database see this lock. The lock ends with its connection,
 * and the connection ends with this process.
 * @param number identifies the lock
 * @param holder description of this process for others
 * @param onLost called if the connection breaks while the lock is held. Another program can then take the lock.
 * @throws LockTaken that names the holder, or the database's error
 */
export async function takeSharedLock(url: string, number: number, holder: string, onLost: () => void): Promise<Lock> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    application_name: `${holder} (process ${process.pid} on ${os.hostname()})`,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
  });
  let isHeld = false;
  client.on('error', () => {});
  client.on('end', () => {
    if (isHeld) onLost();
  });
  try {
    await client.connect();
    await client.query(ON_CONNECT);
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', [LOCKS, number]);
    if (!rows[0].taken) throw new LockTaken(await holderOf(client, number), 'this catalogue', undefined);
  } catch (error) {
    await soon(client.end());
    throw error;
  }
  isHeld = true;
  return {
    async release() {
      isHeld = false;
      await soon(client.end());
    },
  };
}

/** Returns the locks that processes hold, with the description of each holder. */
export async function findSharedLocks(db: Database): Promise<{ number: number; holder: string }[]> {
  const query = sql<{ number: number; holder: string }>`
    select objid::int8 as number, application_name as holder from pg_stat_activity join pg_locks using (pid)
      where locktype = 'advisory' and granted and classid = ${LOCKS} and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
      order by objid`;
  return (await query.execute(db)).rows;
}

interface Queryable {
  query(text: string, values: unknown[]): Promise<{ rows: { name: string }[] }>;
}

async function holderOf(client: Queryable, number: number): Promise<string> {
  const { rows } = await client.query(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
      where locktype = 'advisory' and granted and classid = $1 and objid = $2 and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())`,
    [LOCKS, number],
  );
  return rows[0]?.name || 'Another zoetrope process';
}
