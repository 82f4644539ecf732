/**
 * Counts the spellings of each term and knows the most frequent one. Terms that are always spelt as folded take no
 * memory.
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
   * Returns the most frequent spelling. Among equally frequent spellings, it is the last one in code units, which
   * prefers lower case and accents.
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
