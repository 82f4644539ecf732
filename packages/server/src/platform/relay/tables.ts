import { viewOf } from '../db/index.ts';

/** Files of this room declare their tables by merging into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: they fill it
export interface RelayTables {}

/** The room's own tables of a database. */
export const tables = viewOf<RelayTables>();
