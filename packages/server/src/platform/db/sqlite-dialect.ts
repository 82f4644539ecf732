import { setTimeout } from 'node:timers/promises';
import type { Statement } from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import { isBusy, isFull, LOOK_MS, PATIENCE_MS } from './busy.ts';

/** The part of SQLite that the dialect uses. */
export interface SqliteHandle {
  prepare(sql: string): Statement<unknown[]>;
  close(): void;
  /** Returns whether a transaction is open. After some errors, SQLite itself ends a transaction. */
  isInTransaction(): boolean;
  /** Frees some space on a full disk. @returns false if no space can be freed */
  makeRoom(): boolean;
}

/** The error if the disk was full during a transaction and now has some space. Another attempt can succeed. */
export class RoomMade extends Error {
  override readonly name = 'RoomMade';
}

/**
 * Kysely's dialect for a SQLite handle that never waits inside SQLite. Waiting inside SQLite would block the whole
 * thread while another process writes. A statement that finds the database busy is retried later. Other statements can
 * run in the meantime. Transactions are restarted by `inTransaction`.
 */
export class PatientSqliteDialect extends SqliteDialect {
  readonly #handle: SqliteHandle;

  constructor(handle: SqliteHandle) {
    super({ database: handle as never });
    this.#handle = handle;
  }

  override createAdapter(): SqliteAdapter {
    return new TurnTakingAdapter();
  }

  override createDriver(): Driver {
    return new PatientDriver(this.#handle);
  }
}

/**
 * Turns off Kysely's lock, because a waiting statement would hold that lock. `Turns` replaces the lock, and a waiting
 * statement releases its turn.
 */
class TurnTakingAdapter extends SqliteAdapter {
  /** Kysely assumes that SQLite cannot undo changes of tables, but it can. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class PatientDriver implements Driver {
  readonly #handle: SqliteHandle;
  readonly #turns = new Turns();

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PatientConnection> {
    return new PatientConnection(this.#handle, this.#turns);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PatientConnection).takeTurn();
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#handle.isInTransaction()) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as PatientConnection).giveTurn();
  }

  async destroy(): Promise<void> {
    this.#handle.close();
  }
}

/** A transaction owns the handle from its start until its release. A single statement owns the handle while it runs. */
class PatientConnection implements DatabaseConnection {
  readonly #handle: SqliteHandle;
  readonly #turns: Turns;
  #giveBack: (() => void) | undefined;

  constructor(handle: SqliteHandle, turns: Turns) {
    this.#handle = handle;
    this.#turns = turns;
  }

  async takeTurn(): Promise<void> {
    this.#giveBack = await this.#turns.take();
  }

  giveTurn(): void {
    this.#giveBack?.();
    this.#giveBack = undefined;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#giveBack === undefined ? this.#runPatiently(query) : this.#runInside(query);
  }

  // biome-ignore lint/correctness/useYield: nothing here streams
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('results of SQLite are not streamed');
  }

  async #runPatiently<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const start = performance.now();
    for (;;) {
      const giveBack = await this.#turns.take();
      try {
        return this.#run(query);
      } catch (error) {
        if (isFull(error) && this.#handle.makeRoom()) continue;
        if (!isBusy(error) || performance.now() - start > PATIENCE_MS) throw error;
      } finally {
        giveBack();
      }
      await setTimeout(LOOK_MS);
    }
  }

  #runInside<Row>(query: CompiledQuery): QueryResult<Row> {
    try {
      return this.#run(query);
    } catch (cause) {
      if (isFull(cause) && this.#handle.makeRoom()) throw new RoomMade('the disk was full', { cause });
      throw cause;
    }
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#handle.prepare(sql);
    if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  }
}

/** A queue that admits one caller at a time. */
class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the caller's turn. @returns a function that ends the turn */
  async take(): Promise<() => void> {
    const before = this.#last;
    const turn = Promise.withResolvers<void>();
    this.#last = turn.promise;
    await before;
    return turn.resolve;
  }
}
