import { viewOf } from '../db/index.ts';

/** Files of this room add their tables to this interface by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: they fill it
export interface RelayTables {}

/** Returns a view of a database that has only the tables of this room. */
export const tables = viewOf<RelayTables>();
