/**
 * Computes the number of insertions, deletions, replacements and swaps of neighbouring letters that turn one word into
 * another (optimal string alignment). If the number is greater than `most`, the result is `most + 1`. Words are UTF-16
 * code units.
 */
export class EditDistance {
  /** Three rows of the usual table. A row has a number for each letter of the second word, plus one. */
  #rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)];

  between(a: Uint16Array, b: Uint16Array, most: number): number {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    if (this.#rows[0]!.length <= b.length) this.#rows = this.#rows.map(() => new Uint8Array(b.length * 2));
    let [before, last, row] = this.#rows as [Uint8Array, Uint8Array, Uint8Array];
    for (let j = 0; j <= b.length; j++) last[j] = Math.min(j, most + 1);
    for (let i = 1; i <= a.length; i++) {
      if (fillRow(a, b, i, { before, last, row, most }) > most) return most + 1;
      [before, last, row] = [last, row, before];
    }
    return Math.min(last[b.length]!, most + 1);
  }
}

interface Rows {
  before: Uint8Array;
  last: Uint8Array;
  row: Uint8Array;
  most: number;
}

/**
 * Fills row `i` within `most` of the diagonal. Outside this range, every distance is larger. @returns the row's minimum
 */
function fillRow(a: Uint16Array, b: Uint16Array, i: number, { before, last, row, most }: Rows): number {
  const first = Math.max(1, i - most);
  const end = Math.min(b.length, i + most);
  row[first - 1] = first === 1 ? Math.min(i, most + 1) : most + 1;
  let least = row[first - 1]!;
  for (let j = first; j <= end; j++) {
    let distance = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
    if (row[j - 1]! + 1 < distance) distance = row[j - 1]! + 1;
    if (last[j]! + 1 < distance) distance = last[j]! + 1;
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] && before[j - 2]! + 1 < distance) {
      distance = before[j - 2]! + 1;
    }
    row[j] = distance;
    if (distance < least) least = distance;
  }
  if (end < b.length) row[end + 1] = most + 1;
  return least;
}
