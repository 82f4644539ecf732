/** The GIFs that an operator has selected in a list. */
export class Selection {
  readonly #ids = new Set<string>();
  /** The GIF from which a range starts. */
  #anchor: string | undefined;

  get ids(): readonly string[] {
    return [...this.#ids];
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Selects or clears one GIF. */
  set(id: string, isSelected: boolean): void {
    if (isSelected) this.#ids.add(id);
    else this.#ids.delete(id);
    this.#anchor = id;
  }

  /**
   * Selects all GIFs from the GIF that was changed last to the given GIF. @param list the ids in the order of the list
   */
  extend(id: string, list: readonly string[]): void {
    const [from, to] = [list.indexOf(this.#anchor ?? id), list.indexOf(id)];
    for (const between of list.slice(Math.min(from < 0 ? to : from, to), Math.max(from, to) + 1))
      this.#ids.add(between);
  }

  /** Selects all GIFs of a list. */
  addAll(list: readonly string[]): void {
    for (const id of list) this.#ids.add(id);
  }

  clear(): void {
    this.#ids.clear();
    this.#anchor = undefined;
  }
}
