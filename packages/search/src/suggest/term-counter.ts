import { normalise } from '../analysis/normalise.ts';
import { NO_WORDS, type OffensiveWords } from '../analysis/offensive.ts';
import type { IndexDocument } from '../build/document.ts';
import { isOffensive } from '../postings/texts.ts';
import { type Phrase, PhraseCounter } from './phrases.ts';
import { Spellings } from './spellings.ts';
import { foldTerm, type TermKind } from './term.ts';

export interface CountedTerm extends Phrase {
  kind: TermKind;
  /** Whether the term is a tag, series or character of any document, even if its `kind` is a different one. */
  isName: boolean;
}

/**
 * Maximum length of a term, in UTF-16 code units. Only the first 100 characters of a query are searched, so longer
 * terms need no completion.
 */
const MAX_TERM = 100;
/**
 * Maximum number of terms. So many terms are enough for completion. With a million GIFs, the least used terms are
 * dropped.
 */
const MAX_TERMS = 250_000;

/** Counts terms. Tags, series and characters are whole terms. Titles and captions are split into words and phrases. */
export class TermCounter {
  readonly #tags = new NameCounter();
  readonly #characters = new NameCounter();
  readonly #titles = new PhraseCounter();
  readonly #texts = new PhraseCounter();
  readonly #words: OffensiveWords;

  /**
   * @param words offensive words. If only documents with these words have a term, the term is left out, because a
   *   search would not find these documents
   */
  constructor(words: OffensiveWords = NO_WORDS) {
    this.#words = words;
  }

  /** Adds a safe document. Adult documents must not be added, because their terms must not be revealed. */
  add(document: Pick<IndexDocument, 'title' | 'tags' | 'series' | 'characters' | 'text'>): void {
    const isFound = !isOffensive(document, this.#words);
    this.#tags.add([...document.tags, ...document.series], isFound);
    this.#characters.add(document.characters, isFound);
    if (!isFound) return;
    this.#titles.add(document.title);
    this.#texts.add(document.text);
  }

  /**
   * Returns the terms, ascending by folded and then by displayed form. Each displayed form occurs once.
   * @param others number of safe documents in other segments, which raises the number of uses that a word needs
   */
  finish(others = 0): CountedTerm[] {
    const terms = new TermsByFold();
    for (const name of this.#tags.finish()) terms.addName({ ...name, kind: 'tag', isName: true });
    for (const name of this.#characters.finish()) terms.addName({ ...name, kind: 'character', isName: true });
    for (const phrase of this.#titles.finish(others)) terms.addPhrase({ ...phrase, kind: 'title', isName: false });
    for (const phrase of this.#texts.finish(others)) terms.addPhrase({ ...phrase, kind: 'text', isName: false });
    return mostUsed(terms.all()).sort(compareTerms);
  }
}

function compareTerms(a: CountedTerm, b: CountedTerm): number {
  if (a.folded !== b.folded) return a.folded < b.folded ? -1 : 1;
  return a.shown < b.shown ? -1 : 1;
}

/**
 * Terms with the same folded form are merged, under the kind with the highest count. They stay separate only if they
 * are names that differ in more than case (`battlefield_4` and `battlefield 4`), because each name has its own count.
 */
class TermsByFold {
  readonly #terms = new Map<string, CountedTerm[]>();

  addName(name: CountedTerm): void {
    const known = this.#terms.get(name.folded);
    if (known === undefined) this.#terms.set(name.folded, [name]);
    else if (!this.#isRaised(known, name)) known.push(name);
  }

  addPhrase(phrase: CountedTerm): void {
    const known = this.#terms.get(phrase.folded);
    if (known === undefined) this.#terms.set(phrase.folded, [phrase]);
    else if (!this.#isRaised(known, phrase)) {
      const most = known.reduce((a, b) => (b.n > a.n ? b : a));
      // A tag on several GIFs is a name with a deliberate spelling. A tag on a single GIF can be a slip.
      const { isName, shown } = most;
      if (phrase.n > most.n) Object.assign(most, phrase, { isName }, most.n > 1 ? { shown } : {});
    }
  }

  all(): CountedTerm[] {
    return [...this.#terms.values()].flat();
  }

  /**
   * If the term is already known in this spelling, the higher count and its kind are used. @returns whether it is known
   */
  #isRaised(known: CountedTerm[], term: CountedTerm): boolean {
    const same = known.find(({ shown }) => normalise(shown) === normalise(term.shown));
    if (same !== undefined && term.n > same.n) Object.assign(same, term, { isName: same.isName || term.isName });
    return same !== undefined;
  }
}

/**
 * Returns the most used terms, at most MAX_TERMS: all terms above a certain count, so that equally used terms are
 * either all kept or all dropped.
 */
function mostUsed(terms: CountedTerm[]): CountedTerm[] {
  if (terms.length <= MAX_TERMS) return terms;
  const bound = terms.map(({ n }) => n).sort((a, b) => b - a)[MAX_TERMS]!;
  return terms.filter(({ n }) => n > bound);
}

/** Counts names by their normal form, because different names can have the same folded form. */
class NameCounter {
  readonly #counts = new Map<string, number>();
  readonly #found = new Set<string>();
  readonly #spellings = new Spellings();

  /**
   * Adds the names of a document. Duplicates count once.
   * @param isFound whether searches for the names find the document
   */
  add(names: readonly string[], isFound: boolean): void {
    const written = new Map<string, string>();
    for (const name of names) {
      const normal = normalise(name);
      if (normal !== '' && normal.length <= MAX_TERM && !written.has(normal)) written.set(normal, name.trim());
    }
    for (const [normal, name] of written) {
      const before = this.#counts.get(normal) ?? 0;
      this.#counts.set(normal, before + 1);
      this.#spellings.add(normal, name, before);
      if (isFound) this.#found.add(normal);
    }
  }

  *finish(): Generator<Phrase> {
    for (const [normal, n] of this.#counts) {
      if (!this.#found.has(normal)) continue;
      const folded = foldTerm(normal);
      if (folded !== '') yield { folded, shown: this.#spellings.best(normal), n };
    }
  }
}
