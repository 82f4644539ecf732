// How fast are terms completed and misspelt words found, compared with SQLite on the same terms?
// quick: --terms 2000

/*
 *   npm run bench suggest [--terms 200000] [--json]
 *
 * Times are the process's CPU time per call. SQLite has the terms in two tables in memory: one with an index for
 * beginnings, and an FTS5 table of trigrams for similar terms (any trigram, the 50 best by bm25). Its results differ
 * from ours, because it ranks only by trigrams. Every call requests 8 terms.
 */
import { parseArgs } from 'node:util';
import { compareDocuments, type IndexDocument, openBuild, SegmentWriter, Suggester } from '@zoetrope/search';
import Database from 'better-sqlite3';
import { random } from '../../support/corpus.ts';
import { cpuStep, type Timing, timeCalls, timeOnce } from '../../support/measure.ts';

const { values } = parseArgs({
  options: { terms: { type: 'string', default: '200000' }, json: { type: 'boolean', default: false } },
});
const TERMS = Number(values.terms);
const LIMIT = 8;
const CALLS = 2000;
/** Target p99 latencies from the design, in milliseconds. */
const TARGETS = { prefix: 0.1, fuzzy: 5 };

type Ask = (query: string) => unknown;

/**
 * Makes terms from words that consist of syllables, as in many languages. Some trigrams are in many terms, but most are
 * in few.
 */
function makeTerms(): string[] {
  const next = random(1);
  const onsets = 'b c d f g h j k l m n p r s t v w z bl br ch cl dr fl gr kr pl pr sh st th tr'.split(' ');
  const vowels = 'a e i o u ai ea ee ie oo ou'.split(' ');
  const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'ng', 'nd', 'ck'];
  const pick = (values: readonly string[]): string => values[Math.floor(next() * next() * values.length)]!;
  const word = (): string =>
    Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick(onsets) + pick(vowels) + pick(codas)).join('');
  const made = new Set<string>();
  while (made.size < TERMS) made.add(next() < 0.3 ? `${word()} ${word()}` : word());
  return [...made];
}

/** Yields documents of twenty tags. Each term is used at least once, and few terms are used often. */
function* makeDocuments(terms: readonly string[]): Generator<IndexDocument> {
  const next = random(2);
  for (let start = 0; start < terms.length * 2; start += 20) {
    const tags = Array.from({ length: 20 }, (_, i) =>
      start + i < terms.length ? terms[start + i]! : terms[Math.floor(next() ** 4 * terms.length)]!,
    );
    const texts = { title: '', text: '', characters: [], series: [] };
    yield { ...texts, id: `${start}`, tags, adult: false, popularity: 0, stored: new Uint8Array() };
  }
}

/** Misspells a word. One letter is left out, doubled, replaced or swapped with the next. */
function misspell(word: string, next: () => number): string {
  const at = 1 + Math.floor(next() * (word.length - 2));
  const [before, letter, after] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
  const edits = [before + after, before + letter + letter + after, `${before}e${after}`];
  return [...edits, before + after.slice(0, 1) + letter + after.slice(1)][Math.floor(next() * 4)]!;
}

function openSqlite(counts: ReadonlyMap<string, number>): { prefix: Ask; fuzzy: Ask } {
  const db = new Database(':memory:');
  db.exec(`CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT, n INTEGER);
    CREATE VIRTUAL TABLE grams USING fts5(term, tokenize='trigram', content='', detail=none)`);
  const insertTerm = db.prepare('INSERT INTO terms (id, term, n) VALUES (?, ?, ?)');
  const insertGram = db.prepare('INSERT INTO grams (rowid, term) VALUES (?, ?)');
  db.transaction(() => {
    for (const [i, [term, n]] of [...counts].entries()) {
      insertTerm.run(i, term, n);
      insertGram.run(i, `  ${term} `);
    }
  })();
  db.exec('CREATE INDEX by_term ON terms (term, n)');
  const start = db.prepare(`SELECT term FROM terms WHERE term >= ? AND term < ? ORDER BY n DESC LIMIT ${LIMIT}`);
  const alike = db.prepare(`SELECT term FROM terms WHERE id IN
    (SELECT rowid FROM grams WHERE grams MATCH ? ORDER BY rank LIMIT 50) ORDER BY n DESC LIMIT ${LIMIT}`);
  return {
    prefix: (query) => start.all(query, `${query}\uffff`),
    fuzzy: (query) => {
      const padded = `  ${query} `;
      const grams = Array.from({ length: query.length + 1 }, (_, i) => `"${padded.slice(i, i + 3)}"`);
      return alike.all(grams.join(' OR '));
    },
  };
}

const terms = makeTerms();
const documents = [...makeDocuments(terms)].sort(compareDocuments);
const counts = new Map<string, number>();
for (const { tags } of documents) for (const tag of new Set(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
const { seconds, result: output } = timeOnce(() => {
  const writer = new SegmentWriter();
  for (const document of documents) writer.add(document);
  return writer.finish();
});
const { manifest, sections } = output;
const suggester = new Suggester(openBuild(manifest, sections).suggestions);
const suggest = (query: string) => suggester.suggest(query, { limit: LIMIT });
const sqlite = openSqlite(counts);

const next = random(3);
const draw = (): string => terms[Math.floor(next() * terms.length)]!;
// Only prefixes with several completions are measured here, because a prefix with few completions is also looked up as
// a misspelt word. The other row measures these look-ups.
const beginnings = Array.from({ length: CALLS * 2 }, () => draw().slice(0, 1 + Math.floor(next() * 6)))
  .filter((beginning) => suggest(beginning).filter(({ fuzzy }) => !fuzzy).length >= 3)
  .slice(0, CALLS);
const words = terms.filter((term) => term.length >= 5);
const misspelt = Array.from({ length: CALLS * 2 }, () =>
  misspell(words[Math.floor(next() * words.length)]!, next),
).filter((word) => [...word].length >= 4 && !terms.some((term) => term.startsWith(word)));

const rows: { what: string; ours: Timing; sqlite: Timing }[] = [
  {
    what: 'prefix',
    ours: await timeCalls(beginnings, 3, suggest),
    sqlite: await timeCalls(beginnings.slice(0, CALLS / 4), 1, sqlite.prefix),
  },
  {
    what: 'fuzzy',
    ours: await timeCalls(misspelt, 2, suggest),
    sqlite: await timeCalls(misspelt.slice(0, CALLS / 10), 1, sqlite.fuzzy),
  },
];
const bytes = manifest.sections.filter(({ name }) => name.startsWith('suggest-')).reduce((sum, s) => sum + s.bytes, 0);
const facts = {
  terms: counts.size,
  'sections, MB': bytes / 1e6,
  'build, s': seconds,
  'step of the clock, ms': cpuStep(),
};
const targets = [
  { name: `prefix p99 at most ${TARGETS.prefix} ms`, met: rows[0]!.ours.p99 <= TARGETS.prefix },
  { name: `fuzzy p99 at most ${TARGETS.fuzzy} ms`, met: rows[1]!.ours.p99 <= TARGETS.fuzzy },
];

if (values.json) console.log(JSON.stringify({ rows, facts, targets }, null, 2));
else {
  const cells = (...values: (string | number)[]): string =>
    values.map((value) => (typeof value === 'number' ? value.toFixed(3) : value).padStart(12)).join('');
  console.log(cells('', 'p50 ms', 'p99 ms', 'calls', 'SQLite p50', 'SQLite p99', 'p99 ratio'));
  for (const { what, ours, sqlite } of rows)
    console.log(cells(what, ours.p50, ours.p99, String(ours.calls), sqlite.p50, sqlite.p99, sqlite.p99 / ours.p99));
  console.log();
  for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(24)}${value.toFixed(3).padStart(12)}`);
  console.log();
  for (const { name, met } of targets) console.log(`${met ? 'met   ' : 'MISSED'} ${name}`);
}
