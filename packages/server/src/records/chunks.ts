/** Maximum number of rows per statement. SQLite allows 32,766 parameters per statement, and the widest row has 23. */
const ROWS = 500;

/** Splits a list into parts that fit into one statement. */
export function* chunks<Item>(list: readonly Item[]): Generator<Item[]> {
  for (let from = 0; from < list.length; from += ROWS) yield list.slice(from, from + ROWS);
}
