import type { Kysely } from 'kysely';

/**
 * Every table of the database. A room declares its own by merging into this interface
 * (`declare module '../platform/db/tables.ts'`), so that one transaction can span rooms.
 */
// biome-ignore lint/suspicious/noEmptyInterface: rooms fill it
export interface Tables {}

export type Database = Kysely<Tables>;
