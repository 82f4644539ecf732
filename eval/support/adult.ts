import { readJsonLines, readTable } from './table.ts';

interface CatalogueRow {
  id: string;
  title?: string;
  tags?: string[];
  series?: string[];
  character?: string[];
  adult?: boolean;
}

/**
 * Checks every response in a run for content that no response may contain: adult GIFs, and terms that only adult GIFs
 * contain.
 */
export class AdultWatch {
  readonly #adultIds: Set<string>;
  readonly #rows: readonly CatalogueRow[];
  readonly #found = { search: new Set<string>(), similar: new Set<string>() };
  readonly #terms = new Set<string>();

  /** @param catalogues the ingested manifests. Without them, only the listed ids and titles are known */
  constructor(folder: string, catalogues: readonly string[]) {
    const listed = readTable(folder, 'adult_ids.tsv') ?? [];
    this.#rows = catalogues.flatMap((file) => readJsonLines<CatalogueRow>(file) ?? []);
    const marked = this.#rows.filter(({ adult }) => adult).map(({ id }) => id);
    this.#adultIds = new Set([...marked, ...listed.map(([id]) => id!)]);
  }

  /** Returns the number of rows in the manifests, and the number of rows that can be found. */
  get size(): { rows: number; safe: number } {
    return { rows: this.#rows.length, safe: this.#rows.filter(({ adult }) => !adult).length };
  }

  seeIds(operation: 'search' | 'similar', ids: readonly string[]): void {
    for (const id of ids) if (this.#adultIds.has(id)) this.#found[operation].add(id);
  }

  seeTerms(terms: readonly string[]): void {
    for (const term of terms) this.#terms.add(term);
  }

  /** Returns distinct adult ids, or adult terms, in all of an operation's responses so far. */
  found(operation: 'search' | 'similar' | 'suggest'): number {
    return operation === 'suggest' ? this.#termsFound() : this.#found[operation].size;
  }

  /** Returns the number of completions that occur only in texts of adult GIFs. */
  #termsFound(): number {
    const safe = this.#words(({ id, adult }) => !adult && !this.#adultIds.has(id));
    const adult = this.#words(({ id, adult: marked }) => marked === true || this.#adultIds.has(id));
    const terms = [...this.#terms].map(spaced);
    return terms.filter((term) => term.trim() !== '' && adult.includes(term) && !safe.includes(term)).length;
  }

  #words(isWanted: (row: CatalogueRow) => boolean): string {
    const fields = (row: CatalogueRow) => [row.title ?? '', ...(row.tags ?? []), ...names(row)];
    return this.#rows
      .filter(isWanted)
      .flatMap((row) => fields(row).map(spaced))
      .join('|');
  }
}

function names({ series = [], character = [] }: CatalogueRow): string[] {
  return [...series, ...character];
}

/** Returns the words in lower case with one blank around each, so that `includes` finds whole words only. */
function spaced(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return ` ${words.join(' ')} `;
}
