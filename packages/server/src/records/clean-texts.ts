import { type Kysely, sql } from 'kysely';
import { oneLine, withoutControls } from '../base/plain-text.ts';
import { readWebAddress } from '../base/web-address.ts';
import type { Database, NotingMigration } from '../platform/db/index.ts';
import { type GifTable, tables } from './tables.ts';

/** Number of GIFs that are read together. */
const PAGE = 2_000;

/** The fields of a GIF that can come from strangers. */
const SAID = ['url', 'fallback', 'title', 'tags', 'characters', 'series', 'text', 'alt'] as const;
type Said = Pick<GifTable, (typeof SAID)[number]>;

/**
 * Earlier versions stored URLs as they were written in manifests, but fetched their canonical form. So a stored URL
 * could differ from the URL that had been verified. Words could contain marks that reorder the text around them.
 */
export const cleanTextMigration: NotingMigration = {
  async up(untyped: Kysely<unknown>, note = () => {}) {
    const db = untyped as Database;
    let changed = 0;
    for (let last = ''; ; ) {
      const page = await tables(db)
        .selectFrom('gifs')
        .select(['id', ...SAID])
        .where('id', '>', last)
        .orderBy('id')
        .limit(PAGE)
        .execute();
      for (const { id, ...said } of page) {
        const clean = cleaned(said);
        if (SAID.every((field) => clean[field] === said[field])) continue;
        await tables(db).updateTable('gifs').set(clean).where('id', '=', id).execute();
        changed++;
      }
      if (page.length < PAGE) break;
      last = page.at(-1)!.id;
    }
    if (changed === 0) return;
    await sql`update catalog_state set revision = revision + 1`.execute(db);
    note(`The URLs or words of ${changed} GIFs were cleaned: what is shown is now what is fetched.`);
  },
};

function cleaned({ url, fallback, title, tags, characters, series, text, alt }: Said): Said {
  return {
    url: url === null ? null : canonicalOf(url),
    fallback: inList(fallback, canonicalOf),
    title: oneLine(title),
    tags: inList(tags, oneLine),
    characters: inList(characters, oneLine),
    series: inList(series, oneLine),
    text: withoutControls(text),
    alt: withoutControls(alt),
  };
}

function inList(json: string, clean: (item: string) => string): string {
  // Earlier versions stored null if a manifest had null in its list of URLs.
  const items = (JSON.parse(json) as (string | null)[]).filter((item) => item !== null);
  return JSON.stringify(items.map(clean).filter((item) => item !== ''));
}

/**
 * Returns the canonical form of a URL, which is fetched. If the URL is now refused, its hidden or added parts are
 * removed.
 */
function canonicalOf(stored: string): string {
  const read = readWebAddress(stored);
  if ('url' in read) return read.url;
  const url = URL.parse(stored);
  if (url === null) return stored;
  return Object.assign(url, { username: '', password: '', hash: '' }).href;
}
