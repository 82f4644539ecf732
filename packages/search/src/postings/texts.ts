import { analyse } from '../analysis/analyse.ts';
import { documentTerms } from '../analysis/document-terms.ts';
import { wholeTag } from '../analysis/joined.ts';
import { OFFENSIVE_TERM, type OffensiveWords, offensiveTerm, unaskedTerm } from '../analysis/offensive.ts';
import type { IndexDocument } from '../build/document.ts';
import type { FieldName } from './impact.ts';

/** The texts of a document that are searched. */
export type Texts = Pick<IndexDocument, 'title' | 'tags' | 'characters' | 'series' | 'text'>;

/** The terms of a document, as `PostingsWriter` takes them. */
export interface DocumentTerms {
  /** The terms of each field, in order. */
  fields: Record<FieldName, string[]>;
  /** The tags with few words (`wholeTag`), each as a single term. */
  wholeTags: string[];
}

/**
 * Returns the terms of a document. If it has an offensive word, all of its terms are marked, so that only queries with
 * an offensive word find it (see `planQuery`).
 */
export function readTexts(texts: Texts, words: OffensiveWords): DocumentTerms {
  const { title, tags, series, characters, text } = texts;
  const all = [...tags, ...series];
  const titleTerms = documentTerms(title);
  // "Pandora Hearts kick" is about the series, so its "hearts" must not count again.
  const further = series.filter((name) => !isPartOf(titleTerms, name));
  const fields = {
    title: titleTerms,
    tags: documentTerms([...tags, ...further].join('\n')),
    characters: documentTerms(characters.join('\n')),
    text: documentTerms(text),
  };
  const wholeTags = all.flatMap(wholeTag);
  const found = offensiveIn(texts, words);
  if (found.length === 0) return { fields, wholeTags };
  const marked = (terms: readonly string[]) => terms.map(unaskedTerm);
  return {
    fields: {
      title: marked(fields.title),
      tags: marked(fields.tags),
      characters: marked(fields.characters),
      text: [...marked(fields.text), OFFENSIVE_TERM, ...found.map(offensiveTerm)],
    },
    wholeTags: marked(wholeTags),
  };
}

/** Returns whether a title has a name of several words. */
function isPartOf(title: readonly string[], name: string): boolean {
  const terms = documentTerms(name);
  const starts = terms.length > 1 ? title.keys() : [];
  return [...starts].some((start) => terms.every((term, i) => title[start + i] === term));
}

/** Returns whether any text of a document has an offensive word. */
export function isOffensive(texts: Texts, words: OffensiveWords): boolean {
  return offensiveIn(texts, words).length > 0;
}

function offensiveIn({ title, tags, series, characters, text }: Texts, words: OffensiveWords): string[] {
  return [title, ...tags, ...series, ...characters, text].flatMap((each) => words.findIn(analyse(each)));
}
