/** Counts the ways each term is written, and knows the most used. Terms only ever written as folded take no room. */
export class Spellings {
  readonly #forms = new Map<string, Map<string, number>>();

  /** `before`: how often the term was added already. */
  add(folded: string, written: string, before: number): void {
    let forms = this.#forms.get(folded);
    if (forms === undefined) {
      if (written === folded) return;
      forms = new Map([[folded, before]]);
      this.#forms.set(folded, forms);
    }
    forms.set(written, (forms.get(written) ?? 0) + 1);
  }

  /** The form used most; of forms used alike, the last in code units, which prefers lower case and accents. */
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
