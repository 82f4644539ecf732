import { type Kysely, sql } from 'kysely';
import { readWebAddress } from '../base/web-address.ts';
import type { Database, NotingMigration } from '../platform/db/index.ts';
import { tables } from './tables.ts';

/** Number of GIFs that are read together. */
const PAGE = 2_000;

/**
 * Earlier versions stored URLs as manifests wrote them, and fetched their canonical form. So the stored URL could say
 * something else than what had been verified.
 */
export const canonicalUrlMigration: NotingMigration = {
  async up(untyped: Kysely<unknown>, note = () => {}) {
    const db = untyped as Database;
    let changed = 0;
    for (let last = ''; ; ) {
      const page = await tables(db)
        .selectFrom('gifs')
        .select(['id', 'url', 'fallback'])
        .where('id', '>', last)
        .where('url', 'is not', null)
        .orderBy('id')
        .limit(PAGE)
        .execute();
      for (const { id, url, fallback } of page) {
        const links = JSON.parse(fallback) as string[];
        const canonical = { url: canonicalOf(url!), fallback: JSON.stringify(links.map(canonicalOf)) };
        if (canonical.url === url && canonical.fallback === fallback) continue;
        await tables(db).updateTable('gifs').set(canonical).where('id', '=', id).execute();
        changed++;
      }
      if (page.length < PAGE) break;
      last = page.at(-1)!.id;
    }
    if (changed === 0) return;
    // Requests a build without new vectors, like `bumpShown`.
    await sql`update vector_states set revision = revision + 1
      where revision = (select revision from catalog_state)`.execute(db);
    await sql`update catalog_state set revision = revision + 1`.execute(db);
    note(`The URLs of ${changed} GIFs were replaced by their canonical form.`);
  },
};

/** Returns what is fetched for a URL. If the URL is refused now, what it hides or adds is removed. */
function canonicalOf(stored: string): string {
  const read = readWebAddress(stored);
  if ('url' in read) return read.url;
  const url = URL.parse(stored);
  if (url === null) return stored;
  return Object.assign(url, { username: '', password: '', hash: '' }).href;
}
