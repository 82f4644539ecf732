/**
 * Keeps the best `limit` documents: highest total first, and among equal totals the lowest document number. It is a
 * binary heap with the worst document at its root, so that rejecting a document costs one comparison.
 */
export class Top {
  #size = 0;
  readonly #limit: number;
  readonly #totals: Int32Array;
  readonly #documents: Uint32Array;

  constructor(limit: number) {
    this.#limit = limit;
    this.#totals = new Int32Array(limit);
    this.#documents = new Uint32Array(limit);
  }

  /**
   * Returns the total of the worst kept document if `limit` documents are kept, otherwise 0. Documents with lower
   * totals are rejected.
   */
  get worst(): number {
    return this.#size < this.#limit ? 0 : (this.#totals[0] ?? 0);
  }

  offer(document: number, total: number): void {
    if (this.#size < this.#limit) this.#add(document, total);
    else if (this.#isWorse(0, document, total)) this.#replaceWorst(document, total);
  }

  /** Empties the heap into arrays, best first. */
  drain(): { documents: Uint32Array; totals: Int32Array } {
    const documents = new Uint32Array(this.#size);
    const totals = new Int32Array(this.#size);
    while (this.#size > 0) {
      const last = this.#size - 1;
      documents[last] = this.#documents[0]!;
      totals[last] = this.#totals[0]!;
      this.#size = last;
      this.#replaceWorst(this.#documents[last]!, this.#totals[last]!);
    }
    return { documents, totals };
  }

  #isWorse(place: number, document: number, total: number): boolean {
    const difference = this.#totals[place]! - total;
    return difference < 0 || (difference === 0 && this.#documents[place]! > document);
  }

  #add(document: number, total: number): void {
    let place = this.#size;
    this.#size += 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#isWorse(parent, document, total)) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#put(place, document, total);
  }

  #replaceWorst(document: number, total: number): void {
    let place = 0;
    for (let child = 1; child < this.#size; child = 2 * place + 1) {
      const right = child + 1;
      if (right < this.#size && this.#isWorse(right, this.#documents[child]!, this.#totals[child]!)) child = right;
      if (!this.#isWorse(child, document, total)) break;
      this.#move(child, place);
      place = child;
    }
    this.#put(place, document, total);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#documents[from]!, this.#totals[from]!);
  }

  #put(place: number, document: number, total: number): void {
    this.#documents[place] = document;
    this.#totals[place] = total;
  }
}
