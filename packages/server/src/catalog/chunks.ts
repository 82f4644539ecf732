/** SQLite takes 32,766 parameters a statement; the widest row has 23. */
const ROWS = 500;

/** A list in parts that one statement takes. */
export function* chunks<Item>(list: readonly Item[]): Generator<Item[]> {
  for (let from = 0; from < list.length; from += ROWS) yield list.slice(from, from + ROWS);
}
