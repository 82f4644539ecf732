import { type RawBuilder, sql } from 'kysely';

/** Reasons for hiding a GIF, as independent bits. */
export const HIDDEN_BY_OPERATOR = 1;
export const HIDDEN_AS_DEAD = 2;
export const HIDDEN_AS_BLOCKED = 4;
export const HIDDEN_AS_WITHDRAWN = 8;

/** Returns an SQL expression for the reasons for hiding a GIF, except this reason. */
export function hiddenWithout(reason: number): RawBuilder<number> {
  return sql`hidden & ${sql.lit(~reason)}`;
}
