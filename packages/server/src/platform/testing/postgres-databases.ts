import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Database, LASTING, migrate, openPostgres } from '../db/index.ts';
import type { EngineOptions } from './postgres.ts';
import { nameOf, type Tables } from './tables.ts';

/** Number of the lock that a test process holds while it looks for a template or creates it. */
const TEMPLATE_LOCK = 4_711;

/** On a busy machine, many transactions that wait for each other take longer than a service lets people wait. */
const LIMITS = { ...LASTING, connectMs: 120_000 };

/** Databases on a PostgreSQL server that several test processes share. */
export class DatabasesOf {
  readonly #url: string;
  readonly #options: EngineOptions;
  #client: pg.Client | undefined;
  #last: string | undefined;

  /** @param url of any database on the server */
  constructor(url: string, options: EngineOptions = {}) {
    this.#url = url;
    this.#options = options;
  }

  /** Creates a database with these tables. Drops the previous database, because each takes 8 MB. */
  async open(tables: Tables): Promise<Database> {
    await this.#dropLast();
    const template = await this.#templateOf(tables);
    const name = newName();
    await this.#run(`create database ${name} template ${template} strategy file_copy`);
    this.#last = name;
    return openPostgres(this.#urlOf(name), { limits: LIMITS, ...this.#options });
  }

  /** Drops the last database. The template stays, because other test files use it. */
  async close(): Promise<void> {
    await this.#dropLast();
    await this.#client?.end();
    this.#client = undefined;
  }

  async #templateOf(tables: Tables): Promise<string> {
    const template = nameOf(tables);
    await this.#run(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
    try {
      const { rowCount } = await this.#run(`select 1 from pg_database where datname = '${template}'`);
      if (rowCount === 0) await this.#makeTemplate(template, tables);
    } finally {
      await this.#run(`select pg_advisory_unlock(${TEMPLATE_LOCK})`);
    }
    return template;
  }

  /** After a failed migration, there is an unused database, but no template. */
  async #makeTemplate(template: string, tables: Tables): Promise<void> {
    const unfinished = newName();
    await this.#run(`create database ${unfinished}`);
    const db = openPostgres(this.#urlOf(unfinished), this.#options);
    try {
      await migrate(db, tables);
    } finally {
      await db.destroy();
    }
    await this.#run(`alter database ${unfinished} rename to ${template}`);
  }

  async #dropLast(): Promise<void> {
    if (this.#last !== undefined) await this.#run(`drop database if exists ${this.#last} with (force)`);
    this.#last = undefined;
  }

  async #run(statement: string): Promise<pg.QueryResult> {
    if (this.#client === undefined) {
      this.#client = new pg.Client({ connectionString: this.#url });
      await this.#client.connect();
    }
    return this.#client.query(statement);
  }

  #urlOf(name: string): string {
    const url = new URL(this.#url);
    url.pathname = name;
    return url.href;
  }
}

function newName(): string {
  return `test_${randomUUID().replaceAll('-', '')}`;
}
