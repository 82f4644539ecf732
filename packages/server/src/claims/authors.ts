import type { Database } from '../platform/db/index.ts';
import { tables } from '../records/index.ts';

/**
 * Returns a page of the authors with claims that lead to GIFs.
 * @param after the last public key of the previous page, or an empty string
 * @returns public keys in hexadecimal, ascending
 */
export async function pageOfAuthors(db: Database, after: string, limit: number): Promise<string[]> {
  const claims = tables(db).selectFrom('claims').select('author').distinct().where('author', '>', after);
  const rows = await claims.where('gif', 'is not', null).where('withdrawn', '=', 0).orderBy('author').limit(limit);
  return (await rows.execute()).map(({ author }) => author);
}
