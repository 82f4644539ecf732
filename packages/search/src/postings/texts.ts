import { analyse } from '../analysis/analyse.ts';
import { documentTerms } from '../analysis/document-terms.ts';
import { wholeTag } from '../analysis/joined.ts';
import type { OffensiveWords } from '../analysis/offensive.ts';
import type { IndexDocument } from '../build/document.ts';
import type { FieldName } from './impact.ts';

/** The texts of a document that are searched. */
export type Texts = Pick<IndexDocument, 'title' | 'tags' | 'characters' | 'series' | 'text'>;

/** The terms of a document, as `PostingsWriter` takes them. */
export interface DocumentTerms {
  /** The terms of each field, in order. */
  fields: Record<FieldName, string[]>;
  /** The short tags as single terms. */
  wholeTags: string[];
  /** Whether any of the texts has an offensive word. */
  isOffensive: boolean;
}

export function readTexts(texts: Texts, words: OffensiveWords): DocumentTerms {
  const { title, tags, series, characters, text } = texts;
  const all = [...tags, ...series];
  return {
    fields: {
      title: documentTerms(title),
      tags: documentTerms(all.join('\n')),
      characters: documentTerms(characters.join('\n')),
      text: documentTerms(text),
    },
    wholeTags: all.flatMap(wholeTag),
    isOffensive: isOffensive(texts, words),
  };
}

/** Returns whether any text of a document has an offensive word. */
export function isOffensive({ title, tags, series, characters, text }: Texts, words: OffensiveWords): boolean {
  return [title, ...tags, ...series, ...characters, text].some((each) => words.isIn(analyse(each)));
}
