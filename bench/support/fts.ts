import Database from 'better-sqlite3';
import { corpusDocument } from './corpus.ts';

/*
 * SQLite FTS5 in its fastest configuration: without stored text (contentless), without positions (detail=column), with
 * rowids in order of popularity, and with bm25 and field weights over a limited number of matches.
 */

/** Writes the documents of a corpus, in this order, into an FTS5 table. */
export function writeFts(order: Uint32Array, file: string): void {
  const db = new Database(file);
  db.pragma('synchronous = OFF');
  db.exec(`CREATE VIRTUAL TABLE docs USING fts5(title, tags, characters, text, content='', detail=column)`);
  const insert = db.prepare('INSERT INTO docs (rowid, title, tags, characters, text) VALUES (?, ?, ?, ?, ?)');
  db.transaction(() => {
    for (const [place, i] of order.entries()) {
      const { title, tags, characters, text } = corpusDocument(i);
      insert.run(place + 1, title, tags.join(' '), characters.join(' '), text);
    }
  })();
  db.exec(`INSERT INTO docs (docs) VALUES ('optimize')`);
  db.close();
}

/**
 * Returns the rowids of the best safe matches of any word, by bm25 over the first `cap` matches in order of popularity.
 */
export function ftsSearch(
  db: Database.Database,
  safeDocuments: number,
  { cap, limit }: { cap: number; limit: number },
): (query: string) => number[] {
  const search = db
    .prepare(
      `SELECT rowid FROM (SELECT rowid, bm25(docs, 8, 4, 4, 1) AS score FROM docs WHERE docs MATCH ? AND rowid <= ?
       LIMIT ?) ORDER BY score LIMIT ${limit}`,
    )
    .pluck();
  return (query) => search.all(query.replaceAll(' ', ' OR '), safeDocuments, cap) as number[];
}
