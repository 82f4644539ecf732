/**
 * Counts the spellings of each term, to find the most frequent one. A term that is always spelt in its folded form
 * takes no memory.
 */
export class Spellings {
  readonly #forms = new Map<string, Map<string, number>>();

  /** @param before how often the term has been added before */
  add(folded: string, written: string, before: number): void {
    let forms = this.#forms.get(folded);
    if (forms === undefined) {
      if (written === folded) return;
      forms = new Map([[folded, before]]);
      this.#forms.set(folded, forms);
    }
    forms.set(written, (forms.get(written) ?? 0) + 1);
  }

  /**
   * Returns the most frequent spelling. Among equally frequent spellings, the last one in the order of code units is
   * returned, so that lower case and accents are preferred.
   */
  best(folded: string): string {
    let best = folded;
    let most = 0;
    for (const [form, n] of this.#forms.get(folded) ?? []) {
      if (n > most || (n === most && form > best)) {
        best = form;
        most = n;
      }
    }
    return best;
  }
}
