/**
 * The sorted terms of a build, packed. A look-up is a binary search in place, so opening a build costs nothing and
 * threads share one copy. Terms are stored as UTF-16 code units, which sort like strings.
 */
export class Dictionary {
  readonly #offsets: Uint32Array;
  readonly #units: Uint16Array;

  constructor(offsets: Uint32Array, units: Uint16Array) {
    this.#offsets = offsets;
    this.#units = units;
  }

  /** Returns the number of a term, or -1. */
  find(term: string): number {
    let low = 0;
    let high = this.#offsets.length - 2;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const comparison = this.#compare(middle, term);
      if (comparison === 0) return middle;
      if (comparison < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Returns all terms, ascending. */
  *terms(): Generator<string> {
    for (let number = 0; number + 1 < this.#offsets.length; number++) {
      yield String.fromCharCode(...this.#units.subarray(this.#offsets[number]!, this.#offsets[number + 1]!));
    }
  }

  #compare(number: number, term: string): number {
    const start = this.#offsets[number]!;
    const length = this.#offsets[number + 1]! - start;
    const shared = Math.min(length, term.length);
    for (let i = 0; i < shared; i++) {
      const difference = this.#units[start + i]! - term.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return length - term.length;
  }
}

/** Packs sorted terms. */
export function packTerms(terms: readonly string[]): { offsets: Uint32Array; units: Uint16Array } {
  const offsets = new Uint32Array(terms.length + 1);
  for (const [i, term] of terms.entries()) offsets[i + 1] = offsets[i]! + term.length;
  const units = new Uint16Array(offsets[terms.length]!);
  for (const [i, term] of terms.entries()) {
    const start = offsets[i]!;
    for (let k = 0; k < term.length; k++) units[start + k] = term.charCodeAt(k);
  }
  return { offsets, units };
}
