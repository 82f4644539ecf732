import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Database, openDatabase } from '../../platform/db/index.ts';
import { findPostgres, startPostgres } from './postgres.ts';

/** A kind of database that the registry may lie in. */
export interface Engine {
  /** An empty one. */
  open(): Promise<Database>;
  stop(): Promise<void>;
}

const postgres = findPostgres();

export const ENGINES: { name: string; start: (() => Promise<Engine>) | undefined }[] = [
  { name: 'SQLite', start: startSqlite },
  { name: 'PostgreSQL', start: postgres === undefined ? undefined : () => startPostgres(postgres) },
];

async function startSqlite(): Promise<Engine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  let n = 0;
  return {
    open: async () => openDatabase(path.join(folder, `${++n}.db`)),
    stop: () => rm(folder, { recursive: true }),
  };
}
