/** The content of a dictionary, before it becomes a pack. */
export interface SourceDictionary {
  /** Short, for commands: `deu-eng`. */
  name: string;
  /** Code of the language whose words have English meanings. */
  language: string;
  title: string;
  /** What the dictionary itself says about its licence; null if it says nothing. */
  licence: string | null;
  /** Terms with their English meanings, best first. */
  meanings: ReadonlyMap<string, readonly string[]>;
}

/** Collects meanings of terms, each with a rank; a lower rank is a better meaning. */
export class Meanings {
  readonly #ranked = new Map<string, { meaning: string; rank: number }[]>();

  add(term: string, meaning: string, rank: number): void {
    const known = this.#ranked.get(term);
    if (known === undefined) this.#ranked.set(term, [{ meaning, rank }]);
    else known.push({ meaning, rank });
  }

  /** Each term with its meanings, best first. */
  sorted(): Map<string, string[]> {
    const sorted = new Map<string, string[]>();
    for (const [term, ranked] of this.#ranked)
      sorted.set(
        term,
        ranked.toSorted((a, b) => a.rank - b.rank).map(({ meaning }) => meaning),
      );
    return sorted;
  }
}

/** Grammar and labels: `<n, sg>`, `[coll.]`, `{pl}`, `(obsolete)`. */
const LABELS = /<[^>]*>|\[[^\]]*\]|\{[^}]*\}|\([^)]*\)/g;
const ARTICLE = /^(?:to be|to|a|an|the) /i;

/** The words or phrases that a line of a dictionary enumerates, without labels. */
export function enumerated(line: string, separator: RegExp = /[,;]/): string[] {
  return line
    .replace(LABELS, ' ')
    .split(separator)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

/** An English meaning as people search for it: "run away" instead of "to run away". */
export function withoutArticle(meaning: string): string {
  return meaning.replace(ARTICLE, '');
}
