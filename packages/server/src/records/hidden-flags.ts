import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import { bumpRevision } from './revision.ts';
import { tables } from './tables.ts';

/** Reasons for hiding a GIF, as independent bits. */
export const HIDDEN_BY_OPERATOR = 1;
export const HIDDEN_AS_DEAD = 2;
export const HIDDEN_AS_BLOCKED = 4;
export const HIDDEN_AS_WITHDRAWN = 8;
/** A member uploaded the GIF, and no operator has reviewed it yet. This flag must stay the highest bit. */
export const HIDDEN_UNTIL_REVIEW = 16;

/** Returns an SQL expression for all reasons for hiding a GIF except the given one. */
export function hiddenWithout(reason: number): RawBuilder<number> {
  return sql`hidden & ${sql.lit(~reason)}`;
}

/** Hides a GIF until an operator has reviewed it, or ends its review. */
export async function setInReview(db: Database, id: string, inReview: boolean): Promise<void> {
  await tables(db)
    .updateTable('gifs')
    .set({ hidden: inReview ? sql`hidden | ${HIDDEN_UNTIL_REVIEW}` : hiddenWithout(HIDDEN_UNTIL_REVIEW) })
    .where('id', '=', id)
    .execute();
  await bumpRevision(db);
}

/** Hides a GIF on behalf of an operator, or shows it again. @returns false if the id is unknown */
export async function setHidden(db: Database, id: string, hidden: boolean): Promise<boolean> {
  const result = await tables(db)
    .updateTable('gifs')
    .set({ hidden: hidden ? sql`hidden | ${HIDDEN_BY_OPERATOR}` : hiddenWithout(HIDDEN_BY_OPERATOR) })
    .where('id', '=', id)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await bumpRevision(db);
  return true;
}
