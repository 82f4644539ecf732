export { containing } from './containing.ts';
export { type CopyTask, copyTables, tablesOf } from './copy-tables.ts';
export { freeze, isFrozen, thaw } from './freeze.ts';
export { migrate, type NotingMigration } from './migrate.ts';
export { openDatabase } from './open.ts';
export {
  checkPostgres,
  closePostgres,
  DatabaseDown,
  LASTING,
  listen,
  ON_CONNECT,
  openPostgres,
  type PostgresLimits,
  quickLimits,
  soon,
} from './postgres.ts';
export { isPostgres, onPostgres, WRITER_LOCK } from './postgres-dialect.ts';
export { untilPrepared } from './prepared.ts';
export { Reserve, type ReserveUse, withReserve } from './reserve.ts';
export { type Database, viewOf } from './tables.ts';
export { secondsAhead, timeOf } from './time.ts';
export { inSnapshot, inTransaction } from './transaction.ts';
