/** The content of a dictionary, before it becomes a pack. */
export interface SourceDictionary {
  /** Short name for commands, such as `deu-eng`. */
  name: string;
  /** Code of the language whose words have English meanings. */
  language: string;
  title: string;
  /** The dictionary's own text about its licence. Null if there is none. */
  licence: string | null;
  /** Terms with their English meanings, best first. */
  meanings: ReadonlyMap<string, readonly string[]>;
}

/** Collects meanings of terms, each with a rank. A lower rank is a better meaning. */
export class Meanings {
  readonly #ranked = new Map<string, { meaning: string; rank: number }[]>();

  add(term: string, meaning: string, rank: number): void {
    const known = this.#ranked.get(term);
    if (known === undefined) this.#ranked.set(term, [{ meaning, rank }]);
    else known.push({ meaning, rank });
  }

  /** Returns each term with its meanings, the best meaning first. */
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

/** Matches grammar and labels: `<n, sg>`, `[coll.]`, `{pl}`, `(obsolete)`. */
const LABELS = /<[^>]*>|\[[^\]]*\]|\{[^}]*\}|\([^)]*\)/g;
const ARTICLE = /^(?:to be|to|a|an|the) /i;

/** Returns the words or phrases that a line of a dictionary enumerates, without labels. */
export function enumerated(line: string, separator: RegExp = /[,;]/): string[] {
  return line
    .replace(LABELS, ' ')
    .split(separator)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

/** Returns an English meaning in the form in which people search for it: "run away" instead of "to run away". */
export function withoutArticle(meaning: string): string {
  return meaning.replace(ARTICLE, '');
}
