/**
 * Finds the largest number of any range without reading all of it. Row 1 has the maximum of every 32 numbers, row 2 has
 * the maximum of every 32 numbers of row 1, and so on, up to a row of one number.
 *
 *   numbers   3 1 4 1 … | 5 9 2 6 … | 5 3 5 8 …        all rows one after another in one array
 *   row 1         4     |     9     |     8
 */
const FAN = 32;

/** Returns all rows above the numbers, lowest first. */
export function makeMaxima(numbers: Uint32Array): Uint32Array {
  const rows: Uint32Array[] = [];
  for (let row = numbers; row.length > 1; ) {
    const above = new Uint32Array(Math.ceil(row.length / FAN));
    for (const [i, number] of row.entries()) above[Math.floor(i / FAN)] = Math.max(above[Math.floor(i / FAN)]!, number);
    rows.push(above);
    row = above;
  }
  const all = new Uint32Array(rows.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const row of rows) {
    all.set(row, end);
    end += row.length;
  }
  return all;
}

export class Maxima {
  /** The numbers, then the rows above them. */
  readonly #rows: Uint32Array[];

  /** @param maxima the result of `makeMaxima` for these numbers */
  constructor(numbers: Uint32Array, maxima: Uint32Array) {
    this.#rows = [numbers];
    for (let row = numbers, start = 0; row.length > 1; ) {
      const length = Math.ceil(row.length / FAN);
      row = maxima.subarray(start, start + length);
      this.#rows.push(row);
      start += length;
    }
  }

  /**
   * Returns the positions of the largest numbers from `low` to `high`, largest first. Among equal numbers, the first
   * position comes first.
   */
  largest(low: number, high: number, limit: number): number[] {
    const places: number[] = [];
    const ranges = low < high ? [this.#candidate(low, high)] : [];
    while (places.length < limit && ranges.length > 0) {
      const next = ranges.reduce((a, b) => (this.#isBefore(b.place, a.place) ? b : a));
      places.push(next.place);
      ranges.splice(ranges.indexOf(next), 1);
      if (next.low < next.place) ranges.push(this.#candidate(next.low, next.place));
      if (next.place + 1 < next.high) ranges.push(this.#candidate(next.place + 1, next.high));
    }
    return places;
  }

  #candidate(low: number, high: number): { low: number; high: number; place: number } {
    return { low, high, place: this.#place(0, low, high) };
  }

  #isBefore(a: number, b: number): boolean {
    const numbers = this.#rows[0]!;
    return numbers[a]! > numbers[b]! || (numbers[a] === numbers[b] && a < b);
  }

  /** Returns the first position of the maximum of a non-empty range, in row `level`. */
  #place(level: number, low: number, high: number): number {
    const row = this.#rows[level]!;
    const first = Math.ceil(low / FAN);
    const last = Math.floor(high / FAN);
    if (first >= last || level + 1 >= this.#rows.length) return firstLargest(row, low, high);
    const block = this.#place(level + 1, first, last) * FAN;
    let place = firstLargest(row, block, block + FAN);
    if (low < first * FAN) {
      const left = firstLargest(row, low, first * FAN);
      if (row[left]! >= row[place]!) place = left;
    }
    if (last * FAN < high) {
      const right = firstLargest(row, last * FAN, high);
      if (row[right]! > row[place]!) place = right;
    }
    return place;
  }
}

function firstLargest(row: Uint32Array, low: number, high: number): number {
  let place = low;
  for (let i = low + 1; i < high; i++) if (row[i]! > row[place]!) place = i;
  return place;
}
