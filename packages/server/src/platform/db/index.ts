export { migrate } from './migrate.ts';
export { openDatabase } from './open.ts';
export { closePostgres, listen, openPostgres } from './postgres.ts';
export { Reserve } from './reserve.ts';
export { type Database, viewOf } from './tables.ts';
export { inTransaction } from './transaction.ts';
