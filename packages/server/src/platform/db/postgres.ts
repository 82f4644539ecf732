import { sql } from 'kysely';
import type Pg from 'pg';
import { DatabaseAway, OperatorError } from '../../base/errors.ts';
import { keepDoing, pause, type Stoppable } from '../../base/repeat.ts';
import { awayBecauseOf, onPostgres } from './postgres-dialect.ts';
import type { Database } from './tables.ts';

/** Maximum time for connecting, in milliseconds. After that, a server that does not respond counts as down. */
const CONNECT_MS = 2_000;
/**
 * Maximum time to wait for connections to close. A limit is needed, because a hanging server never closes its
 * connections.
 */
const LEAVE_MS = 1_000;

/**
 * Maximum age of a connection. Without this limit, a connection to a server that has disappeared could seem to work for
 * a quarter of an hour.
 */
const LIFETIME_S = 60;

/** Limits of a pool of connections. Times are in milliseconds. */
export interface PostgresLimits {
  connections: number;
  /** Maximum time until a connection is free. */
  connectMs: number;
  /** Maximum time for a statement. */
  statementMs: number;
  /**
   * Maximum time for a query, as measured by this process. It is longer than the server's limit, because the server
   * ends a statement more cleanly.
   */
  queryMs: number;
  /** Maximum time that a transaction waits for its next statement. */
  idleMs: number;
}

/** Returns limits for requests for which people wait. */
export function quickLimits(connections: number, statementMs: number): PostgresLimits {
  return { connections, connectMs: CONNECT_MS, statementMs, queryMs: statementMs + 1_000, idleMs: 10_000 };
}

/**
 * Limits for background work. Such work reads whole tables, waits for other writers, and computes within a snapshot.
 */
export const LASTING: PostgresLimits = {
  connections: 4,
  connectMs: CONNECT_MS,
  statementMs: 600_000,
  queryMs: 610_000,
  idleMs: 3_600_000,
};

/**
 * With these settings, the server soon notices that a machine has lost power, and releases the machine's locks.
 * PostgreSQL 11 needs the last setting to return floating-point numbers exactly.
 */
export const ON_CONNECT =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set extra_float_digits = 3';

interface OpenOptions {
  /** See `PostgresOptions`. */
  hasOneWriter?: boolean;
  limits?: PostgresLimits;
}

/** Delay before a listener reconnects. */
const RETRY_MS = 500;

/** Name of this service in the server's list of connections. */
const NAME = 'zoetrope';

/**
 * Opens a PostgreSQL database that several processes share. Connects on first use and whenever necessary. While the
 * server is down, queries reject within seconds.
 */
export function openPostgres(
  url: string,
  { hasOneWriter = false, limits = quickLimits(4, 3_000) }: OpenOptions = {},
): Database {
  // The library is loaded on demand, because most services store all their data in one folder.
  const pool = async () => openPool(url, limits, (await import('pg')).default);
  return onPostgres({ pool, hasOneWriter });
}

function openPool(connectionString: string, limits: PostgresLimits, { Pool, types }: typeof Pg): Pg.Pool {
  const pool = new Pool({
    connectionString,
    application_name: NAME,
    max: limits.connections,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    query_timeout: limits.queryMs,
    maxLifetimeSeconds: LIFETIME_S,
    keepAlive: true,
    // By default, int8 is returned as a string, because it can be too large for a number. Our times and counts fit into
    // a number.
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
          ? Number
          : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  // A broken connection is reported to its running query. The pool opens another connection.
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', ignore);
    client.query(`${ON_CONNECT}; set idle_in_transaction_session_timeout = ${limits.idleMs}`).catch(ignore);
  });
  return pool;
}

/**
 * Listens on a channel over a separate connection. A broken connection is replaced. `onNotice` is called with each
 * notification. It is called with null whenever listening starts, because earlier notifications may be lost.
 */
export function listen(url: string, channel: string, onNotice: (said: string | null) => void): Stoppable {
  async function hearUntilItBreaks(signal: AbortSignal): Promise<void> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: url,
      application_name: NAME,
      connectionTimeoutMillis: CONNECT_MS,
    });
    const broken = new Promise<void>((resolve) => {
      for (const event of ['error', 'end'] as const) client.on(event, () => resolve());
      signal.addEventListener('abort', () => resolve());
    });
    client.on('notification', ({ payload = '' }) => onNotice(payload));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onNotice(null);
      await broken;
    } catch {
      // The server is down. Queries report this problem, so the listener only tries again.
    } finally {
      await soon(client.end());
    }
  }

  return keepDoing(RETRY_MS, hearUntilItBreaks, ignore); // queries report their own errors
}

/** The error if the database cannot be reached or rejects this user. */
export class DatabaseDown extends OperatorError {}

/** Checks whether the database can be read and written. @throws DatabaseDown */
export async function checkPostgres(db: Database): Promise<void> {
  let isReadOnly: boolean;
  try {
    const query = sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`;
    isReadOnly = (await query.execute(db)).rows[0]!.mode === 'on';
  } catch (cause) {
    const { message } = cause instanceof DatabaseAway ? cause : awayBecauseOf(cause);
    throw new DatabaseDown(message, { cause });
  }
  if (!isReadOnly) return;
  throw new DatabaseDown(
    'The PostgreSQL database (ZOETROPE_DATABASE_URL) is read-only: connect to the primary server, or allow this user to write',
  );
}

/** Closes a database opened with `openPostgres`, even if its server hangs. */
export function closePostgres(db: Database): Promise<void> {
  return soon(db.destroy());
}

/** Waits briefly for a promise that may never settle. */
export async function soon(end: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([end.catch(ignore), pause(LEAVE_MS, timer.signal)]);
  timer.abort();
}

function ignore(): void {}
