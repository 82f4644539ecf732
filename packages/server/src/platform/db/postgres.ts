import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import type Pg from 'pg';
import { keepDoing, pause, type Stoppable } from '../../base/repeat.ts';
import type { Database, Tables } from './tables.ts';

/** Milliseconds until a server that says nothing counts as down. */
const CONNECT_MS = 2_000;
const STATEMENT_MS = 3_000;
/** Longer than the server takes to give up a statement itself, which is the cleaner end. */
const QUERY_MS = 4_000;
/** A server that hangs does not even take leave. */
const LEAVE_MS = 1_000;

/** A connection whose other end vanished without a word looks alive for a quarter of an hour; none gets as old as that. */
const LIFETIME_S = 60;

const CONNECTIONS = 4;

/** How soon a listener that lost its connection tries again. */
const RETRY_MS = 500;

/** Names this service in the server's list of connections. */
const NAME = 'zoetrope';

/**
 * Opens a PostgreSQL database that several processes share. Connects when it is first asked, and again whenever that is
 * needed: what is asked while the server is away rejects within seconds.
 */
export function openPostgres(url: string): Database {
  // Loaded where it is used: of those who keep everything in one folder, no thread has to hold it.
  const pool = async () => openPool(url, (await import('pg')).default);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
}

function openPool(connectionString: string, { Pool, types }: typeof Pg): Pg.Pool {
  const pool = new Pool({
    connectionString,
    application_name: NAME,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: QUERY_MS,
    maxLifetimeSeconds: LIFETIME_S,
    keepAlive: true,
    // int8 comes as text, because it may not fit a number; times and counts of ours do.
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  // A connection that breaks is told to whoever has a question open on it; the pool opens another one.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/**
 * Listens on a channel of a PostgreSQL database, over a connection of its own that is made again when it breaks.
 * `heard` gets what is said there, and null each time listening begins: what was said before that is lost.
 */
export function listen(url: string, channel: string, heard: (said: string | null) => void): Stoppable {
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
    client.on('notification', ({ payload = '' }) => heard(payload));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      heard(null);
      await broken;
    } catch {
      // The server is away. Whoever asks it for something says so; here it is tried again.
    } finally {
      await soon(client.end());
    }
  }

  return keepDoing(RETRY_MS, hearUntilItBreaks, ignore); // queries report their own errors
}

/** Closes a database that `openPostgres` opened, also when its server hangs. */
export function closePostgres(db: Database): Promise<void> {
  return soon(db.destroy());
}

/** Waits for an end that may never come, but not long. */
async function soon(end: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([end.catch(ignore), pause(LEAVE_MS, timer.signal)]);
  timer.abort();
}

function ignore(): void {}
