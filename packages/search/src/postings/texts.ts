import { documentTerms } from '../analysis/document-terms.ts';
import { wholeTag } from '../analysis/joined.ts';
import type { IndexDocument } from '../build/document.ts';
import type { FieldName } from './impact.ts';

/** The texts of a document that are searched. */
export type Texts = Pick<IndexDocument, 'title' | 'tags' | 'characters' | 'series' | 'text'>;

/** Returns the terms of each field, in order, and the short tags as single terms. */
export function readTexts({ title, tags, series, characters, text }: Texts): {
  fields: Record<FieldName, string[]>;
  wholeTags: string[];
} {
  const all = [...tags, ...series];
  return {
    fields: {
      title: documentTerms(title),
      tags: documentTerms(all.join('\n')),
      characters: documentTerms(characters.join('\n')),
      text: documentTerms(text),
    },
    wholeTags: all.flatMap(wholeTag),
  };
}
